"""What several tests share. Nothing here tests anything."""
