"""`autograder appeal`: list, show and decide what students contest."""
