"""Is this partial trace allowed?"""
