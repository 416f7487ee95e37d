"""Reports as one HTML file that needs nothing else: `page.render` makes it of `views`."""
