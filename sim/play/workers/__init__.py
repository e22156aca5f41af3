"""Who plays: threads of this process, other processes, other machines."""
