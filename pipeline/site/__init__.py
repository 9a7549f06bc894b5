"""The site: a page for playing and solving, and pages without scripts. A release goes in, files come out; the page
itself, which is the same for every release, is in the folder `page`."""
