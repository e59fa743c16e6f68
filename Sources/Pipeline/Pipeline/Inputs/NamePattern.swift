/// A pattern for the name of one file or folder, without slashes.
package struct NamePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case byte(UInt8)
    case anyByte
    case anyBytes
    case day(NamedDay.Part)
  }

  /// The pattern as written.
  let text: String
  private let parts: [Part]

  init(_ text: String) {
    self.text = text
    var parts: [Part] = []
    var rest = Substring(text).utf8[...]
    while let byte = rest.first {
      if let part = NamedDay.Part.allCases.first(where: { rest.starts(with: $0.rawValue.utf8) }) {
        parts.append(.day(part))
        rest = rest.dropFirst(part.rawValue.utf8.count)
        continue
      }
      switch byte {
      case UInt8(ascii: "*"): if parts.last != .anyBytes { parts.append(.anyBytes) }
      case UInt8(ascii: "?"): parts.append(.anyByte)
      default: parts.append(.byte(byte))
      }
      rest = rest.dropFirst()
    }
    self.parts = parts
  }

  /// The parts of a day in the pattern, in their order.
  var days: [NamedDay.Part] {
    parts.compactMap { part in
      if case .day(let day) = part { day } else { nil }
    }
  }

  /// Whether the pattern contains a day, or a part of a day.
  var hasDate: Bool { !days.isEmpty }

  /// Whether the pattern is `**`, any number of folders.
  var isAnyFolders: Bool { text == "**" }

  /// Whether the pattern can match several names.
  var hasWildcard: Bool {
    parts.contains {
      switch $0 {
      case .byte: false
      default: true
      }
    }
  }

  /// Matches a file name and reads its day; returns `nil` if the name does not match.
  ///
  /// A name that begins with a dot matches only a pattern that begins with a dot.
  package func match(_ name: String) -> NamedDay? {
    let bytes = Array(name.utf8)
    if bytes.first == UInt8(ascii: "."), parts.first != .byte(UInt8(ascii: ".")) { return nil }
    var day = NamedDay()
    guard matches(bytes, day: &day) else { return nil }
    return day
  }

  /// Returns true if a name matches, and reads its day.
  ///
  /// After a mismatch, the search continues only from the last `*`. So the time is at most
  /// proportional to the length of the name times the length of the pattern.
  private func matches(_ name: [UInt8], day: inout NamedDay) -> Bool {
    var part = 0
    var index = 0
    var star: (part: Int, index: Int)?
    while index < name.count || part < parts.count {
      if part < parts.count {
        switch parts[part] {
        case .anyBytes:
          star = (part, index)
          part += 1
          continue
        case .anyByte where index < name.count:
          (part, index) = (part + 1, index + 1)
          continue
        case .byte(let byte) where index < name.count && name[index] == byte:
          (part, index) = (part + 1, index + 1)
          continue
        case .day(let kind):
          if let end = day.read(kind, in: name, at: index) {
            (part, index) = (part + 1, end)
            continue
          }
        default: break
        }
      }
      guard let last = star, last.index < name.count else { return false }
      star = (last.part, last.index + 1)
      (part, index) = (last.part + 1, last.index + 1)
    }
    return true
  }
}
