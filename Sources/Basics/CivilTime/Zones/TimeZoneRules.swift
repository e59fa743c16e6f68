/// The offsets of a time zone from UTC, from a file of the time zone database (RFC 8536).
///
/// The system has these files in `/usr/share/zoneinfo`.
public struct TimeZoneRules: Hashable, Sendable {
  /// The name of the zone: `Europe/Berlin`.
  public let name: String
  /// The moments of change, in seconds since 1970, each with the offset from then on, in seconds.
  private var changes: [Change] = []
  /// The offset before the first change.
  private var first: Int64 = 0
  /// The yearly rules after the last change; `nil` if the offset stays.
  private var yearly: YearlyTimeZone?

  fileprivate struct Change: Hashable {
    var at: Int64
    var offset: Int64
  }

  /// Reads the content of a file; `nil` if it has another form.
  public init?(name: String, bytes: [UInt8]) {
    self.name = name
    // The first part has 32-bit times, the second part 64-bit times.
    guard let short = TimeZoneHeader(bytes, at: 0), bytes[4] >= UInt8(ascii: "2") else {
      return nil
    }
    let start = TimeZoneHeader.length + short.length(timeSize: 4)
    guard let header = TimeZoneHeader(bytes, at: start) else { return nil }
    let times = start + TimeZoneHeader.length
    guard header.types > 0, bytes.count >= times + header.length(timeSize: 8) else { return nil }
    let indices = times + header.times * 8
    let types = indices + header.times
    func offset(_ type: Int) -> Int64? {
      guard type < header.types else { return nil }
      return Int64(Int32(truncatingIfNeeded: number(bytes, types + type * 6, size: 4)))
    }
    guard let first = offset(0) else { return nil }
    self.first = first
    for index in 0..<header.times {
      guard let offset = offset(Int(bytes[indices + index])) else { return nil }
      changes.append(Change(at: number(bytes, times + index * 8, size: 8), offset: offset))
    }
    let footer = bytes[(times + header.length(timeSize: 8))...].dropFirst()
      .prefix { $0 != UInt8(ascii: "\n") }
    yearly = YearlyTimeZone(String(decoding: footer, as: UTF8.self))
  }

  /// The moment of a clock time in the zone, which `local` has as if it were UTC.
  ///
  /// Of two such moments, at the end of summer time, the earlier one. A clock time that the zone
  /// skips is read with the offset before.
  public func moment(ofLocal local: Instant) -> Instant {
    let seconds = local.wholeSeconds
    let (before, after) = (offset(at: seconds - 86_400), offset(at: seconds + 86_400))
    let early = seconds - before
    let late = seconds - after
    let isLate = offset(at: early) != before && offset(at: late) == after
    return local.advanced(by: .seconds(-(isLate ? after : before)))
  }

  /// The clock time of a moment in the zone, as if it were UTC.
  public func local(of moment: Instant) -> Instant {
    moment.advanced(by: .seconds(offset(at: moment.wholeSeconds)))
  }

  /// The offset from UTC at a moment, both in seconds.
  public func offset(at seconds: Int64) -> Int64 {
    let next = changes.partitioningIndex { $0.at > seconds }
    if next == changes.count, let yearly { return yearly.offset(at: seconds) }
    return next == 0 ? first : changes[next - 1].offset
  }
}

/// The numbers of elements in a part of such a file.
private struct TimeZoneHeader {
  static let length = 44
  let times: Int
  let types: Int
  private let others: (leaps: Int, letters: Int, flags: Int)

  init?(_ bytes: [UInt8], at start: Int) {
    guard bytes.count >= start + Self.length, bytes[start..<start + 4].elementsEqual("TZif".utf8)
    else { return nil }
    let counts = (0..<6).map { Int(number(bytes, start + 20 + $0 * 4, size: 4)) }
    guard counts.allSatisfy({ (0..<1 << 20).contains($0) }) else { return nil }
    (times, types) = (counts[3], counts[4])
    others = (counts[2], counts[5], counts[0] + counts[1])
  }

  func length(timeSize: Int) -> Int {
    times * (timeSize + 1) + types * 6 + others.letters + others.leaps * (timeSize + 4)
      + others.flags
  }
}

/// A number of some bytes, the highest first.
private func number(_ bytes: [UInt8], _ start: Int, size: Int) -> Int64 {
  var value: UInt64 = 0
  for offset in 0..<size { value = value << 8 | UInt64(bytes[start + offset]) }
  return Int64(bitPattern: value)
}

extension Instant {
  /// The seconds since 1970, rounded down.
  fileprivate var wholeSeconds: Int64 {
    let rest = milliseconds % 1000
    return (milliseconds - (rest < 0 ? rest + 1000 : rest)) / 1000
  }
}

extension [TimeZoneRules.Change] {
  /// The position of the first change for which a condition holds that holds for all later ones.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
