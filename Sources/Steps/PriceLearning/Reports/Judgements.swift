internal import Amounts
internal import PurchaseModel

/// The judgements on all reports, in their order.
///
/// A judgement takes 24 bytes here. What outvoted a report, or made it distrusted, is kept apart,
/// as few reports are.
public struct Judgements: RandomAccessCollection, MutableCollection, Hashable, Sendable {
  /// A judgement without its reasons.
  private struct Short: Hashable, BitwiseCopyable {
    var reference: Milliunits?
    var verdict: Verdict
    var isConfirmed: Bool
    var place: Storefront?
  }

  private var all: [Short]
  private var outvoting: [Int: Judgement.Outvoting] = [:]
  private var causes: [Int: Int64] = [:]

  /// Judgements that still have to be reached.
  ///
  /// - Parameter places: By report: the storefront in which it was made.
  init(places: some Collection<Storefront?>) {
    all = places.map { place in
      let none = Judgement(place: place)
      return Short(
        reference: nil, verdict: none.verdict, isConfirmed: none.isConfirmed, place: place)
    }
  }

  /// 0, the position of the first report.
  public var startIndex: Int { 0 }
  /// The number of reports.
  public var endIndex: Int { all.count }

  /// The judgement on a report.
  public subscript(position: Int) -> Judgement {
    get {
      let short = all[position]
      var judgement = Judgement(place: short.place)
      judgement.verdict = short.verdict
      judgement.reference = short.reference
      judgement.isConfirmed = short.isConfirmed
      switch short.verdict {
      case .outvoted: judgement.outvoting = outvoting[position]
      case .distrusted: judgement.distrustedFor = causes[position]
      default: break
      }
      return judgement
    }
    set {
      all[position] = Short(
        reference: newValue.reference, verdict: newValue.verdict,
        isConfirmed: newValue.isConfirmed, place: newValue.place)
      if newValue.verdict == .outvoted { outvoting[position] = newValue.outvoting }
      if newValue.verdict == .distrusted { causes[position] = newValue.distrustedFor }
    }
  }
}
