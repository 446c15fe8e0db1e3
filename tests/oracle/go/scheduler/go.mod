// The dependencies stand in releases/<release>.mod, one file per Kubernetes
// release; build with -modfile. This file only marks the module's root.
module dra-playground/tests/oracle/scheduler

go 1.26.0
