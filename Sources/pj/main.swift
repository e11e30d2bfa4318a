print("pj")
