"""What the LiteX template uses of Migen: it only notes what it is given."""


class Signal:
    def __init__(self, width=1):
        self.width = width

    def eq(self, value):
        return (self, value)

    def __and__(self, other):
        return Signal(max(self.width, other.width))


class ClockSignal(Signal):
    pass


class ResetSignal(Signal):
    pass


class Instance:
    def __init__(self, of, **ports):
        self.of = of
        self.ports = ports


class Module:
    def __new__(cls, *_, **__):
        module = super().__new__(cls)
        module.comb = []
        module.specials = Specials()
        return module

    def __setattr__(self, name, value):
        # `self.comb += statement` takes a statement by itself, too.
        object.__setattr__(self, name, value)


class Specials(list):
    def __iadd__(self, special):
        self.append(special)
        return self
