#![doc = "c"]
