mod laws;
mod notation;
mod vectors;
mod releases;
