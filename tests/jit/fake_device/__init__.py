"""A device API for tests: memory of the device is numpy arrays, and kernels are C, called for one thread at a time."""
