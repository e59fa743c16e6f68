/// The shape of an export's path: its parts that differ from export to export are left open.
///
/// Example: `s3/2024/05/01/05/part-3f2a9c1e-….gz` and tomorrow's file have the shape
/// `s3/{yyyy}/{mm}/{dd}/*/part-*.gz`.
struct PathShape: Hashable {
  private enum Token: Hashable {
    case text(String)
    /// A part of a day, with its name in patterns.
    case day(NamedDay.Part)
    /// A number; the shape keeps it if it is equal in all files.
    case number(String)
    /// An id, or a number behind a day, which the next export does not have.
    case open
  }

  private var names: [[Token]]

  /// Finds the shape of a path.
  ///
  /// - Parameter root: The folder that the user named, which the pattern has as it is; empty for a
  ///   file.
  init(_ path: String, below root: String) {
    let isBelow = !root.isEmpty && path.hasPrefix(root + "/")
    let rest = isBelow ? path.dropFirst(root.count + 1) : path[...]
    let folders = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    names = folders.map(Self.tokens)
    Self.findDays(in: &names, folders: folders)
    Self.keepOneDay(in: &names)
    openMonths()
    openNumbers()
    if isBelow { names.insert([.text(root)], at: 0) }
  }

  /// A text that is equal for the paths that can have one pattern.
  var key: String { pattern { _ in "#" } }

  /// The shape of the folder and the ending of the name.
  ///
  /// Files that differ only in the rest of their names are candidates for one pattern.
  var bucket: String {
    let folder = PathShape(names: names.dropLast())
    let name = key.split(separator: "/").last ?? ""
    return folder.key + "/*" + name.drop { $0 != "." }
  }

  /// The pattern of some paths with equal keys.
  static func pattern(of shapes: [PathShape]) -> String {
    guard let first = shapes.first else { return "" }
    var number = -1
    let numbers = shapes.map(\.numbers)
    return first.pattern { text in
      number += 1
      return numbers.allSatisfy { $0[number] == text } ? text : "*"
    }
  }

  private init(names: some Sequence<[Token]>) { self.names = Array(names) }

  private var numbers: [String] {
    names.joined().compactMap { if case .number(let text) = $0 { text } else { nil } }
  }

  private func pattern(_ number: (String) -> String) -> String {
    names.map { name in
      let text = name.map { token in
        switch token {
        case .text(let text): text
        case .day(let part): part.rawValue
        case .number(let text): number(text)
        case .open: "*"
        }
      }.joined()
      // `*-*-*` means no more than `*`.
      return text.replacing(/\*(?:[-_.:]?\*)+/, with: "*")
    }.joined(separator: "/")
  }

  // MARK: Tokens

  /// Divides a name into ids, days, numbers and texts.
  private static func tokens(of name: String) -> [Token] {
    guard name.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return [.text(name)] }
    let parts =
      /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9A-Za-z]{16,}|[0-9]+/
    var tokens: [Token] = []
    var end = name.startIndex
    for match in name.matches(of: parts) {
      if end < match.range.lowerBound {
        tokens.append(.text(String(name[end..<match.range.lowerBound])))
      }
      tokens += token(of: String(match.output))
      end = match.range.upperBound
    }
    if end < name.endIndex { tokens.append(.text(String(name[end...]))) }
    return tokens
  }

  private static func token(of text: String) -> [Token] {
    if NamePattern("{date}").match(text) != nil { return [.day(.date)] }
    let digits = text.count(where: \.isNumber)
    if digits == text.count { return [digits >= 10 ? .open : .number(text)] }
    if text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil { return [.open] }
    // A word without a digit, such as `subscriptiontransactions`, is no id.
    return digits >= 3 ? [.open] : [.text(text)]
  }

  /// Finds days that are divided among folders: `2024/05/01`, `year=2024/month=05/day=01`.
  private static func findDays(in names: inout [[Token]], folders: [String]) {
    /// The key before a number: `year=` for `year=2024`; `nil` for another name.
    func key(_ name: String, digits: Int, _ range: ClosedRange<Int>) -> String? {
      let number = name.suffix(digits)
      let key = name.dropLast(digits)
      guard number.count == digits, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        Int(number).map(range.contains) ?? false,
        key.isEmpty || (key.hasSuffix("=") && !key.contains(where: \.isNumber))
      else { return nil }
      return String(key)
    }
    for index in folders.indices.dropLast(3) {
      guard let year = key(folders[index], digits: 4, 1990...2099),
        let month = key(folders[index + 1], digits: 2, 1...12),
        let day = key(folders[index + 2], digits: 2, 1...31)
      else { continue }
      for (place, (key, part)) in [(year, NamedDay.Part.year), (month, .month), (day, .dayOfMonth)]
        .enumerated()
      {
        names[index + place] = (key.isEmpty ? [] : [.text(key)]) + [.day(part)]
      }
      return
    }
  }

  /// Leaves one day in the path: that of the first name with one day.
  ///
  /// In a name with two days, such as `2024-05-01_2024-05-31.csv`, neither is the day of the
  /// export.
  private static func keepOneDay(in names: inout [[Token]]) {
    func days(_ name: [Token]) -> Int { name.count { if case .day = $0 { true } else { false } } }
    let isDivided = names.contains { $0.contains(.day(.year)) }
    let kept = isDivided ? nil : names.firstIndex { days($0) == 1 }
    for index in names.indices where index != kept {
      names[index] = names[index].map { $0 == .day(.date) ? .open : $0 }
    }
  }

  /// Opens a year and its month, `2024-05`, `2024/05` or `202405`: next year's files have others.
  private mutating func openMonths() {
    func number(_ name: Int, _ place: Int, digits: Int) -> Int? {
      guard names.indices.contains(name), names[name].indices.contains(place),
        case .number(let text) = names[name][place], text.utf8.count == digits
      else { return nil }
      return Int(text)
    }
    for (name, tokens) in names.enumerated() {
      for place in tokens.indices {
        if let both = number(name, place, digits: 6), (1990...2099).contains(both / 100),
          (1...12).contains(both % 100)
        {
          names[name][place] = .open
        }
        guard let year = number(name, place, digits: 4), (1990...2099).contains(year) else {
          continue
        }
        let next = names.indices.contains(name + 1) ? names[name + 1].count - 1 : 0
        let month = place == tokens.count - 1 ? (name + 1, next) : (name, place + 2)
        guard let number = number(month.0, month.1, digits: 2), (1...12).contains(number) else {
          continue
        }
        names[name][place] = .open
        names[month.0][month.1] = .open
      }
    }
  }

  /// Opens the numbers behind the day, such as the hour or the number of a part.
  private mutating func openNumbers() {
    var isBehind = false
    for index in names.indices {
      for place in names[index].indices {
        switch names[index][place] {
        case .day: isBehind = true
        case .number(let text) where isBehind && !isVersion(text, index, place):
          names[index][place] = .open
        default: continue
        }
      }
    }
  }

  /// Returns true for the number of a version: `receipts_v2`.
  private func isVersion(_ number: String, _ index: Int, _ place: Int) -> Bool {
    guard number.count == 1, place > 0, case .text(let before) = names[index][place - 1] else {
      return false
    }
    return before.hasSuffix("v") || before.hasSuffix("V")
  }
}
