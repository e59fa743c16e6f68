/// A pattern for the name of one file or folder, without slashes.
package struct NamePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case byte(UInt8)
    /// A character outside ASCII, which equals its other Unicode forms: macOS decomposes ü.
    case character(Character)
    case anyCharacter
    case anyCharacters
    case day(NamedDay.Part)
  }

  /// The pattern as written.
  let text: String
  private let parts: [Part]

  init(_ text: String) {
    self.text = text
    var parts: [Part] = []
    var rest = text[...]
    while let character = rest.first {
      if let part = NamedDay.Part.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
        parts.append(.day(part))
        rest = rest.dropFirst(part.rawValue.count)
        continue
      }
      switch character {
      case "*": if parts.last != .anyCharacters { parts.append(.anyCharacters) }
      case "?": parts.append(.anyCharacter)
      default: parts.append(character.asciiValue.map(Part.byte) ?? .character(character))
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

  /// Whether the pattern has characters outside ASCII, which a name may have in another form.
  var hasSeveralForms: Bool {
    parts.contains { part in
      if case .character = part { true } else { false }
    }
  }

  /// Whether the pattern can match several names.
  var hasWildcard: Bool {
    parts.contains {
      switch $0 {
      case .byte, .character: false
      default: true
      }
    }
  }

  /// Matches a file name and reads its day; returns `nil` if the name does not match.
  ///
  /// A name that begins with a dot matches only a pattern that begins with a dot.
  package func match(_ name: String) -> NamedDay? {
    let isPlain = name.utf8.allSatisfy { $0 < 0x80 }
    let characters = isPlain ? [] : Array(name)
    let bytes = isPlain ? Array(name.utf8) : characters.map { $0.asciiValue ?? 0xFF }
    if bytes.first == UInt8(ascii: "."), parts.first != .byte(UInt8(ascii: ".")) { return nil }
    var day = NamedDay()
    guard matches(bytes, characters, day: &day) else { return nil }
    return day
  }

  /// Returns true if a name matches, and reads its day.
  ///
  /// After a mismatch, the search continues only from the last `*`. So the time is at most
  /// proportional to the length of the name times the length of the pattern.
  ///
  /// - Parameters:
  ///   - name: The ASCII characters of the name, and 255 for each other character.
  ///   - characters: All characters of the name; empty if all are ASCII.
  private func matches(_ name: [UInt8], _ characters: [Character], day: inout NamedDay) -> Bool {
    var part = 0
    var index = 0
    var star: (part: Int, index: Int)?
    while index < name.count || part < parts.count {
      if part < parts.count {
        switch parts[part] {
        case .anyCharacters:
          star = (part, index)
          part += 1
          continue
        case .anyCharacter where index < name.count:
          (part, index) = (part + 1, index + 1)
          continue
        case .character(let character)
        where index < characters.count && characters[index] == character:
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
