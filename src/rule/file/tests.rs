//! Rule files: read, and compared with a plain reading of their transitions.
