mod notation;
mod vectors;
