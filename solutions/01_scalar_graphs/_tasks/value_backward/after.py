# Try your engine here, for example:
#
# a = Value(2.0)
# y = a * a + a
# y.backward()
# draw(y, names={"a": a})
