"""Statistics: intervals of rates and differences, and processor-independent arithmetic."""
