/// Scores how well pipelines find the causes of differences from Apple's reports.
///
/// For each cause, the score has the true (expected) and the found units and amounts.
public struct ReconciliationScore: Sendable {
  /// The units and the amounts in Apple's reports and in the facts, for one cause of differences.
  ///
  /// Amounts are in thousandths: of a euro in a score, of the charged currency in the truth of a
  /// synthetic store.
  public struct Sum: Hashable, Sendable {
    /// The units in Apple's reports; refunds are negative.
    public var appleUnits: Int64 = 0
    /// The units in the facts; refunds are negative.
    public var ourUnits: Int64 = 0
    /// The sum of the amounts in Apple's reports, in thousandths; refunds are negative.
    public var appleMilli: Int64 = 0
    /// The sum of the amounts in the facts, in thousandths; refunds are negative.
    public var ourMilli: Int64 = 0

    /// Creates sums of zeros.
    public init() {}

    mutating func add(_ other: Sum) {
      appleUnits += other.appleUnits
      ourUnits += other.ourUnits
      appleMilli += other.appleMilli
      ourMilli += other.ourMilli
    }
  }

  /// The expected and the found sums of all stores, keyed by cause.
  private var causes: [String: (expected: Sum, found: Sum)] = [:]
  private var amounts = (right: 0, worsened: 0, corrected: 0)

  /// Creates a score without any stores.
  public init() {}

  /// Reads the true causes that a synthetic store has written; `nil` for another kind of file.
  ///
  /// - Parameters:
  ///   - perEuro: The value of one euro in each currency, in millionths: 1.08 dollars → 1,080,000.
  public static func expected(csv: String, perEuro: [String: Int64]) -> [String: Sum]? {
    let lines = csv.split(separator: "\n")
    guard lines.first?.hasPrefix("cause,currency,apple_units") == true else { return nil }
    var sums: [String: Sum] = [:]
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let numbers = cells.dropFirst(2).compactMap { Int64($0) }
      guard cells.count == 6, numbers.count == 4 else { return nil }
      sums[cells[0], default: Sum()].add(numbers, in: cells[1], perEuro)
    }
    return sums
  }

  /// Adds the expected and the found causes of one store.
  public mutating func add(expected: [String: Sum], found: [String: Sum]) {
    for (cause, sum) in expected { causes[cause, default: (Sum(), Sum())].expected.add(sum) }
    for (cause, sum) in found { causes[cause, default: (Sum(), Sum())].found.add(sum) }
  }

  /// Adds the numbers of right amounts in one store, without and with Apple's reports.
  public mutating func add(right: Int, worsened: Int, corrected: Int) {
    amounts.right += right
    amounts.worsened += worsened
    amounts.corrected += corrected
  }

  /// The score as a Markdown table, with amounts in whole euros.
  public var markdown: String {
    let head = """
      | cause | units of Apple, expected | found | units of the facts, expected | found | \
      difference in EUR, expected | found |
      |---|---:|---:|---:|---:|---:|---:|
      """
    let lines = causes.sorted { $0.key < $1.key }.map { cause, sums in
      let (expected, found) = sums
      let cells = [
        expected.appleUnits, found.appleUnits, expected.ourUnits, found.ourUnits,
        (expected.appleMilli - expected.ourMilli) / 1000,
        (found.appleMilli - found.ourMilli) / 1000,
      ]
      return "| \(cause) | " + cells.map(String.init).joined(separator: " | ") + " |"
    }
    let text =
      "\(amounts.right) amounts are right without reports: \(amounts.worsened) of them are wrong "
      + "with reports. \(amounts.corrected) others become right."
    return ([head] + lines + ["", text]).joined(separator: "\n")
  }
}

extension ReconciliationScore.Sum {
  /// Adds four numbers: the units in Apple's reports and in the facts, then the amounts in Apple's
  /// reports and in the facts.
  ///
  /// The two amounts are in thousandths of `currency`, and are converted to euros. Without
  /// a rate for the currency, only the units are added.
  public mutating func add(_ numbers: [Int64], in currency: String, _ perEuro: [String: Int64]) {
    appleUnits += numbers[0]
    ourUnits += numbers[1]
    guard let rate = perEuro[currency], rate > 0 else { return }
    appleMilli += Int64(Double(numbers[2]) * 1_000_000 / Double(rate))
    ourMilli += Int64(Double(numbers[3]) * 1_000_000 / Double(rate))
  }
}
