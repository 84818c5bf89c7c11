#![doc = "g"]
