"""Child processes that answer requests over pipes: how a parent sees one, the messages, and what a child does.

In: words with arguments. Out: answers, in turn. What the words mean belongs to who starts such a child.
"""
