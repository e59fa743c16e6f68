internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// Writes the fields of a row to a body, or reads them.
///
/// A row lists its fields once, in a function `coded(by:)`. ``BodyWriter`` writes the value of each
/// field, ``BodyReader`` replaces it by the value in the body. Flags before the fields tell which
/// optional fields follow.
protocol BodyCoder {
  /// Whether values are read; a writer leaves them as they are.
  static var reads: Bool { get }
  /// Codes a byte of flags, and returns the flags in the body.
  mutating func flags(_ flags: Flags) -> Flags
  /// Codes more flags than a byte has.
  mutating func longFlags(_ flags: Flags) -> Flags
  mutating func code(_ byte: inout UInt8)
  mutating func code(_ number: inout UInt64)
  /// Codes one of Apple's ids: a number as its distance from `base`, a text as its number in
  /// state.db.
  ///
  /// After a number, `base` becomes this number.
  mutating func code(_ id: inout AppleNumber, after base: inout Int64)
  /// Codes a text that is not a customer id; `nil` is 0.
  mutating func code(_ symbol: inout Symbol?)
  /// Codes a customer id, with a mark beside it; `nil` is 0.
  mutating func code(_ customer: inout CustomerID?, isMarked: inout Bool)
  /// Codes the number of items that follow.
  mutating func count(_ count: Int) -> Int
  /// Marks the body as damaged; a writer ignores this.
  mutating func giveUp()
}

/// A value with its own form in bodies.
protocol BodyValue {
  /// The value before it is read.
  static var blank: Self { get }
  mutating func coded(by coder: inout some BodyCoder)
}

extension BodyCoder {
  @inline(__always) mutating func code(_ value: inout some BodyValue) { value.coded(by: &self) }

  /// Codes an optional value if the flags have it.
  @inline(__always)
  mutating func code<Value: BodyValue>(_ value: inout Value?, if isPresent: Bool) {
    guard isPresent else { return }
    var present = value ?? .blank
    present.coded(by: &self)
    if Self.reads { value = present }
  }

  /// Codes a list.
  mutating func code<Item: BodyValue>(_ items: inout [Item]) {
    _ = code(&items, from: 0, count: items.count)
  }

  /// Codes a part of a list, and returns the number of its items; items that are read are appended.
  mutating func code<Item: BodyValue>(_ items: inout [Item], from start: Int, count: Int) -> Int {
    let count = self.count(count)
    for index in start..<start + count {
      if index == items.count { items.append(.blank) }
      items[index].coded(by: &self)
    }
    return count
  }

  /// Codes a signed number; numbers near zero need fewer bytes.
  @inline(__always) mutating func code(_ number: inout Int64) {
    var folded = BodyWriter.folded(number)
    code(&folded)
    if Self.reads { number = BodyReader.unfolded(folded) }
  }

  @inline(__always) mutating func code(_ number: inout Int32) {
    var wide = Int64(number)
    code(&wide)
    number = known(Int32(exactly: wide), or: 0)
  }

  /// Codes a signed number that is a count from 1 to a limit.
  @inline(__always) mutating func code(_ number: inout Int32, upTo limit: Int32) {
    code(&number)
    number = known(number >= 1 && number <= limit ? number : nil, or: 1)
  }

  /// Codes a number of at least 0.
  @inline(__always)
  mutating func code<Number: FixedWidthInteger>(_ number: inout Number, below limit: Int) {
    var wide = UInt64(truncatingIfNeeded: number)
    code(&wide)
    number = known(wide < UInt64(limit) ? Number(exactly: wide) : nil, or: 0)
  }

  /// Codes a time as its distance from `base`: whole seconds, then milliseconds if not 0.
  @inline(__always) mutating func code(_ time: inout Instant, after base: Instant) {
    let distance = time.milliseconds &- base.milliseconds
    var rest = distance % 1000
    var tagged = BodyWriter.folded(distance / 1000) << 1 | (rest == 0 ? 0 : 1)
    code(&tagged)
    if tagged & 1 == 1 { code(&rest) } else { rest = 0 }
    guard Self.reads else { return }
    let (seconds, isLong) = BodyReader.unfolded(tagged >> 1).multipliedReportingOverflow(by: 1000)
    let (sum, isLonger) = seconds.addingReportingOverflow(rest)
    let (milliseconds, isBeyond) = base.milliseconds.addingReportingOverflow(sum)
    let found = Instant(milliseconds: milliseconds)
    time = known(isLong || isLonger || isBeyond || !found.isWritable ? nil : found, or: .epoch)
  }

  @inline(__always)
  mutating func code(_ time: inout Instant?, after base: Instant, if isPresent: Bool) {
    guard isPresent else { return }
    var present = time ?? .epoch
    code(&present, after: base)
    if Self.reads { time = present }
  }

  @inline(__always) mutating func code(_ customer: inout CustomerID?) {
    var isMarked = false
    code(&customer, isMarked: &isMarked)
  }

  @inline(__always) mutating func code<ID: NumberedID>(_ id: inout ID, after base: inout Int64) {
    var number = id.number
    code(&number, after: &base)
    if Self.reads { id = ID(number) }
  }

  @inline(__always)
  mutating func code<ID: NumberedID>(_ id: inout ID?, after base: inout Int64, if isPresent: Bool) {
    guard isPresent else { return }
    var present = id ?? ID(AppleNumber(rawValue: 0))
    code(&present, after: &base)
    if Self.reads { id = present }
  }

  /// Codes a case by its number.
  mutating func code<Value: RawRepresentable<UInt8>>(_ value: inout Value) {
    var number = value.rawValue
    code(&number)
    value = known(Value(rawValue: number), or: value)
  }

  /// Codes a product with its app.
  mutating func code(_ product: inout ProductID, hasApp: Bool) {
    var (symbol, app) = (product.symbol, product.app)
    code(&symbol)
    code(&app, if: hasApp)
    product = ProductID(symbol, of: app)
  }

  /// Returns a value that was read; `nil` means damaged data.
  @inline(__always) mutating func known<Value>(_ value: Value?, or blank: Value) -> Value {
    if let value { return value }
    giveUp()
    return blank
  }

  /// Returns the value of a code; 0 is no value, and any other code without a value means damaged
  /// data.
  @inline(__always) mutating func value<Value>(_ value: Value?, ofCode code: UInt64) -> Value? {
    if code != 0, value == nil { giveUp() }
    return code == 0 ? nil : value
  }
}
