mod laws;
mod notation;
mod vectors;
