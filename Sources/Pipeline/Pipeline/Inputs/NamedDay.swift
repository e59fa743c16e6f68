package import CivilTime

/// The day in the names of a path, as far as they have been read.
///
/// Example: after the folders `2021` and `03` of `2021/03/04`, the year and the month are known.
package struct NamedDay: Hashable, Sendable {
  /// A part of a pattern that a day, or a part of a day, matches.
  enum Part: String, CaseIterable, Comparable {
    case date = "{date}"
    case dayOfMonth = "{dd}"
    case month = "{mm}"
    case year = "{yyyy}"

    static func < (left: Part, right: Part) -> Bool { left.rawValue < right.rawValue }
  }

  private var whole: CivilDay?
  /// The digits of year, month and day of month.
  private var digits: [Part: String] = [:]

  /// The day; `nil` if the names have none.
  package var day: CivilDay? {
    if let whole { return whole }
    guard let year = digits[.year], let month = digits[.month], let day = digits[.dayOfMonth]
    else { return nil }
    return CivilDay(text: "\(year)-\(month)-\(day)")
  }

  /// False for digits that are no day, such as `2021`, `02` and `30`.
  var isPossible: Bool { digits.isEmpty || day != nil }

  /// Adds what a further name of the path states.
  func adding(_ other: NamedDay) -> NamedDay {
    var both = self
    both.whole = other.whole ?? whole
    both.digits.merge(other.digits) { $1 }
    return both
  }

  /// Reads a part at a position of a name.
  ///
  /// - Returns: The position after the part; `nil` if the part is not there.
  mutating func read(_ part: Part, in name: [UInt8], at index: Int) -> Int? {
    switch part {
    case .date:
      guard let found = Self.day(in: name, at: index) else { return nil }
      whole = found.day
      return found.end
    case .year: return read(part, count: 4, in: name, at: index)
    case .month, .dayOfMonth: return read(part, count: 2, in: name, at: index)
    }
  }

  private mutating func read(_ part: Part, count: Int, in name: [UInt8], at index: Int) -> Int? {
    let end = index + count
    guard end <= name.count, name[index..<end].allSatisfy(Self.isDigit) else { return nil }
    digits[part] = String(decoding: name[index..<end], as: UTF8.self)
    return end
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Reads the day at a position of a name: `2024-05-01`, or in Apple's form `20240501`.
  ///
  /// The eight digits of Apple's form must not be next to other digits.
  private static func day(in name: [UInt8], at index: Int) -> (day: CivilDay, end: Int)? {
    func text(_ range: Range<Int>) -> String { String(decoding: name[range], as: UTF8.self) }
    if index + 10 <= name.count, let day = CivilDay(text: text(index..<index + 10)) {
      return (day, index + 10)
    }
    let end = index + 8
    func isDigit(_ place: Int) -> Bool {
      name.indices.contains(place) && Self.isDigit(name[place])
    }
    guard end <= name.count, (index..<end).allSatisfy(isDigit), !isDigit(index - 1), !isDigit(end),
      let day = CivilDay(
        text: text(index..<index + 4) + "-" + text(index + 4..<index + 6) + "-"
          + text(index + 6..<end))
    else { return nil }
    return (day, end)
  }
}
