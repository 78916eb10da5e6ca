"""What the course's prose has to keep: plain English, true figures, minutes as needed, predictions not given away."""
