"""Reading of card text in English: effect rows, targets and keywords from sentences.

The words are data of the vocabulary: each declared action, event, selector, keyword and measure
carries templates, which print rows and are read back. `card_reader.read_card` is the entry.
"""
