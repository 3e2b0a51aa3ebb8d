"""What visitors see: pictures of the real program (`make pictures`), and the site of documents (`make
docs`)."""
