"""The scoring standard: metrics of a run into derived values and composites. Pure."""
