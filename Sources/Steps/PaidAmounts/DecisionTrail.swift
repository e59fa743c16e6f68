public import Amounts
public import CivilTime
internal import PriceLearning
public import PurchaseModel
public import Purchases

/// A price that a rule could have taken.
public struct PriceCandidate: Hashable, Sendable {
  /// The kind of evidence behind a candidate.
  public enum Origin: Hashable, Sendable {
    /// A report, by its position in ``PaidAmountBook/reports``.
    case report(ReportPosition)
    /// An earlier row, by its position in the purchase book.
    case row(RowPosition)
    /// An interval of the price history, by its position in ``PaidAmountBook/intervals``.
    case interval(Int)
    /// A price change of the catalogue: its day, and its effect on existing subscribers.
    case change(from: Instant, ExistingSubscribers)
    /// The catalogue.
    case catalogue
  }

  /// The kind of evidence behind the price.
  public var origin: Origin
  /// The price of one unit; `nil` if a report has no price of the row's kind.
  public var price: Milliunits?
  /// The price's currency.
  public var currency: Currency?
  /// The payment mode of the offer; `nil` for a regular price.
  public var paymentMode: PaymentMode?
  /// Time from the purchase to the report, or to the day the price came into force; `nil` for a
  /// price of the catalogue.
  public var distance: Milliseconds?
}

/// The decision on one row's amount: every rule in order, with the evidence that it looked at.
public struct DecisionTrail: Sendable {
  /// The result of asking a rule.
  public enum Outcome: Hashable, Sendable {
    /// It decided.
    case decided
    /// It did not apply.
    case passed(PassReason)
    /// It was not tried, because an earlier rule decided.
    case notAsked
  }

  /// One rule.
  public struct Step: Hashable, Sendable {
    /// The rule.
    public var rule: PriceRule
    /// The result of asking it.
    public var outcome: Outcome
    /// The prices it looked at, in its order; empty for a rule that was not tried.
    public var candidates: [PriceCandidate]
  }

  /// The row's position in the purchase book.
  public var row: Int
  /// The amount.
  public var amount: PaidAmount
  /// The amount of the later rules, where the owner corrected it; `nil` otherwise.
  public var withoutCorrection: PaidAmount?
  /// The price lists that may hold for the row, `nil` being that of all storefronts not apart.
  public var lists: [Storefront?]
  /// Whether a running subscription keeps the row in its storefront and currency, unless a report
  /// names the purchase.
  public var isRunning: Bool
  /// Every rule, in the order of ``PriceRule``.
  public var steps: [Step]
}

/// The candidates that a rule looks at, noted by the rule itself while it decides.
struct DecisionNotes {
  /// Whether notes are recorded; only `explain` needs them.
  let areKept: Bool
  private(set) var candidates: [PriceCandidate] = []

  /// No notes yet.
  init(areKept: Bool) { self.areKept = areKept }

  /// Notes a candidate.
  mutating func add(_ candidate: @autoclosure () -> PriceCandidate) {
    if areKept { candidates.append(candidate()) }
  }
}

extension PriceEvidence {
  /// Explains the amount of one revenue row by the code that decides it.
  ///
  /// Decides the chain's rows up to this one, because rules may look at earlier rows.
  ///
  /// - Precondition: the row is a revenue row.
  /// - Throws: ``AmountError/overflow``; see
  ///   ``paidAmounts(book:timelines:set:catalogue:policy:workers:)``.
  public func trail(of row: Int, policy: RenewalPolicy) throws(AmountError) -> DecisionTrail {
    let chain = self.book.chain(ofRow: row)
    var book = PaidAmountBook()
    var memory = ChainMemory(markets: prices.markets.count)
    memory.beginChain()
    for earlier in self.book.chains[chain].rows where earlier < row {
      _ = try decide(
        row: earlier, chain: ChainPosition(chain), policy: policy, memory: &memory, into: &book)
    }
    memory.begin(row: self.book.purchases[row], timelines.rows[row])
    let view = look(at: row, chain: ChainPosition(chain), running: memory.running)
    var steps: [DecisionTrail.Step] = []
    var decided: (rule: PriceRule, decision: Decision)?
    for rule in PriceRule.allCases {
      var notes = DecisionNotes(areKept: true)
      var outcome = DecisionTrail.Outcome.notAsked
      if decided == nil {
        switch try apply(rule, view, &memory, policy, &notes) {
        case .passed(let reason): outcome = .passed(reason)
        case .decided(let decision):
          outcome = .decided
          decided = (rule, decision)
        }
      }
      steps.append(
        DecisionTrail.Step(rule: rule, outcome: outcome, candidates: notes.candidates))
    }
    guard let decided else { preconditionFailure("the last rule decides every row") }
    let without =
      decided.rule == .ownerCorrection ? try withoutCorrection(view, memory, policy) : nil
    return DecisionTrail(
      row: row, amount: amount(view, decided.rule, decided.decision), withoutCorrection: without,
      lists: view.lists, isRunning: view.isRunning, steps: steps)
  }

  /// A report's price as a candidate; `nil` for one without a price of the row's kind.
  func candidate(_ position: ReportPosition, _ price: ReportedPrice?, distance: Milliseconds)
    -> PriceCandidate
  {
    PriceCandidate(
      origin: .report(position), price: price.map(amount), currency: report(position).currency,
      paymentMode: price.flatMap(mode), distance: distance)
  }

  /// An earlier row's price as a candidate.
  func candidate(_ earlier: PricedRow, _ row: PricingContext) -> PriceCandidate {
    PriceCandidate(
      origin: .row(RowPosition(earlier.row)), price: earlier.unitPrice, currency: row.currency,
      distance: earlier.time.since(row.time))
  }

  /// An interval's price as a candidate.
  func candidate(interval index: Int, _ row: PricingContext) -> PriceCandidate {
    let interval = prices.history.intervals[index]
    return PriceCandidate(
      origin: .interval(index), price: interval.price, currency: interval.currency,
      paymentMode: interval.paymentMode, distance: interval.from?.since(row.time))
  }

  /// The price in force from a change of the catalogue on, as a candidate; its price is `nil` if
  /// none is known.
  func candidate(
    change: (at: Instant, existingSubscribers: ExistingSubscribers), _ price: Milliunits?,
    _ row: PricingContext
  ) -> PriceCandidate {
    PriceCandidate(
      origin: .change(from: change.at, change.existingSubscribers), price: price,
      currency: row.currency, distance: change.at.since(row.time))
  }
}
