/// An optional Boolean in two bits of a body's flags: 0 is absent, 1 is false, 2 is true.
enum OptionalFlag {
  @inline(__always)
  static func pair(_ flag: Bool?, at shift: UInt64) -> UInt64 {
    flag.map { $0 ? 2 << shift : 1 << shift } ?? 0
  }

  @inline(__always)
  static func flag(_ flags: UInt64, at shift: UInt64) -> Bool? {
    switch flags >> shift & 3 {
    case 1: false
    case 2: true
    default: nil
    }
  }
}
