"""Students' data: delete everything stored about a student, or export a class's results under pseudonyms."""
