"""Search for patches: methods, optimisers, the surrogate model, selection and clean-up."""
