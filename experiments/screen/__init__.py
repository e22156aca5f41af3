"""What people read: tables, sentences, intervals, marks."""
