"""Object code: ELF files, archives, linking into this process, ahead-of-time output and the disk cache of code.

In: object bytes. Out: files, or addresses in this process.
"""
