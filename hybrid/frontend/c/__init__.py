"""C programs, through LLVM's intermediate language: compiling them, and turning them into
Programs."""
