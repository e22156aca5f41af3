"""`evenhand suite`: test search methods on instances with known answers."""
