"""`evenhand workers`: check the processes and machines that play games."""
