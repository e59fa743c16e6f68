internal import Amounts
internal import PurchaseModel

/// The verdicts on all reports, in the order of the reports.
///
/// To save memory, the reasons for outvoted and distrusted reports, which are rare, are stored
/// separately.
public struct ReportVerdicts: RandomAccessCollection, Equatable, Sendable {
  /// A verdict without its reasons.
  private struct Short: Equatable, BitwiseCopyable {
    var reference: Milliunits?
    var verdict: Verdict
    var isConfirmed: Bool
    var isOutnumbered = false
    var place: Storefront?
    var instalment: Instalment?
  }

  private var all: [Short]
  private var outvoting: [Int: ReportVerdict.Outvoting] = [:]
  private var causes: [Int: Int64] = [:]

  /// Creates verdicts that are not yet decided.
  init(places: some Collection<Storefront?>) {
    all = places.map { Self.undecided(place: $0, instalment: nil) }
  }

  /// Creates verdicts on reports that are not yet decided.
  init(of reports: ComparedReports) {
    all = reports.map { Self.undecided(place: $0.place, instalment: $0.instalment) }
  }

  private static func undecided(place: Storefront?, instalment: Instalment?) -> Short {
    let none = ReportVerdict(place: place)
    return Short(
      reference: nil, verdict: none.verdict, isConfirmed: none.isConfirmed, place: place,
      instalment: instalment)
  }

  /// The position of the first report: 0.
  public var startIndex: Int { 0 }
  /// The number of reports.
  public var endIndex: Int { all.count }

  /// The verdict on a report.
  public subscript(position: Int) -> ReportVerdict {
    let short = all[position]
    var reportVerdict = ReportVerdict(place: short.place)
    reportVerdict.verdict = short.verdict
    reportVerdict.reference = short.reference
    reportVerdict.isConfirmed = short.isConfirmed
    reportVerdict.isOutnumbered = short.isOutnumbered
    reportVerdict.instalment = short.instalment
    switch short.verdict {
    case .outvoted: reportVerdict.outvoting = outvoting[position]
    case .distrusted: reportVerdict.distrustedFor = causes[position]
    default: break
    }
    return reportVerdict
  }

  var verdicts: [Verdict] { all.map(\.verdict) }

  /// For each report, whether it may decide amounts and vote for prices.
  var believed: [Bool] { indices.map { self[$0].isBelieved } }

  /// Sets the verdict on a report, and the price with which the report was compared.
  mutating func setVerdict(_ report: ReportPosition, _ verdict: Verdict, reference: Milliunits?) {
    all[report.index].verdict = verdict
    all[report.index].reference = reference
  }

  mutating func outvote(_ report: ReportPosition, by others: ReportVerdict.Outvoting) {
    all[report.index].verdict = .outvoted
    outvoting[report.index] = others
  }

  /// Marks a report as distrusted because of an unbelieved report by the same voter.
  ///
  /// `other` is the evidence id of the unbelieved report.
  mutating func distrust(_ report: ReportPosition, for other: Int64) {
    all[report.index].verdict = .distrusted
    causes[report.index] = other
  }

  mutating func confirm(_ report: ReportPosition) { all[report.index].isConfirmed = true }

  mutating func outnumber(_ report: ReportPosition) { all[report.index].isOutnumbered = true }
}
