public import Amounts
public import CivilTime
internal import PriceLearning
public import PurchaseModel
public import Purchases

/// A price that a rule considered.
public struct PriceCandidate: Hashable, Sendable {
  /// The kind of evidence behind a candidate.
  public enum Origin: Hashable, Sendable {
    /// A report, as a position among the reports of the batch.
    case report(ReportPosition)
    /// An earlier row, as a position in the purchase history.
    case row(RowPosition)
    /// An interval of the price history, as a position in ``PriceHistory/intervals``.
    case interval(Int)
    /// A price change of the catalogue: its time, and its effect on existing subscribers.
    case change(from: Instant, ExistingSubscribers)
    /// A list price or offer price of the catalogue.
    case catalogue
  }

  /// The kind of evidence behind the price.
  public var origin: Origin
  /// The price of one unit.
  ///
  /// `nil` if a report lacks a price of the row's kind, or if the price after a change is unknown.
  public var price: Milliunits?
  /// The currency of the price; `nil` if unknown.
  public var currency: Currency?
  /// The payment mode of the offer; `nil` for a regular price and for an earlier row.
  public var paymentMode: PaymentMode?
  /// The time from the purchase to the evidence; negative if the evidence precedes the purchase.
  ///
  /// The evidence is a report, an earlier row, or the start of the price. `nil` for an offer of the
  /// catalogue, and for a price without a known start.
  public var distance: Milliseconds?
}

/// The decision on one row's amount: every rule in order, with the evidence that it considered.
public struct DecisionTrail: Sendable {
  /// The result of a rule.
  public enum Outcome: Hashable, Sendable {
    /// The rule decided the amount.
    case decided
    /// The rule did not apply.
    case passed(PassReason)
    /// The rule was skipped, because an earlier rule decided.
    case skipped
  }

  /// One rule with its result.
  public struct Step: Hashable, Sendable {
    /// The rule of this step.
    public var rule: PriceRule
    /// The result of the rule.
    public var outcome: Outcome
    /// The prices that the rule considered, in the order of consideration; empty for a skipped
    /// rule.
    public var candidates: [PriceCandidate]
  }

  /// The amount that was decided.
  public var amount: PaidAmount
  /// The amount that the rules find without the owner's correction; `nil` if there is no
  /// correction.
  public var withoutCorrection: PaidAmount?
  /// The price lists that may apply to the row.
  ///
  /// `nil` stands for the common list, which applies to all storefronts without their own list.
  public var lists: [Storefront?]
  /// Whether the row continues a subscription.
  ///
  /// If true, the row keeps the storefront and currency of the subscription, unless a report or
  /// signed transaction of the purchase contradicts them.
  public var isRunning: Bool
  /// Every rule, in the order of ``PriceRule``.
  public var steps: [Step]
}

/// The prices that a rule considers, recorded while it decides.
struct DecisionNotes {
  /// Whether prices are recorded; only the command `explain` needs them.
  let areKept: Bool
  private(set) var candidates: [PriceCandidate] = []

  /// Records a considered price, if ``areKept`` is true.
  mutating func add(_ candidate: @autoclosure () -> PriceCandidate) {
    if areKept { candidates.append(candidate()) }
  }
}

extension PriceEvidence {
  /// Explains the amount of one revenue row, with the same code that decides amounts in a run.
  ///
  /// Decides the rows of the chain up to this row, because rules may use earlier rows.
  ///
  /// - Precondition: the row is a revenue row.
  public func trail(of row: Int, policy: RenewalPolicy) throws(AmountError) -> DecisionTrail {
    let chain = self.book.chain(ofRow: row)
    var book = PaidAmountResults()
    var chainState = ChainPricingState(markets: prices.markets.count)
    chainState.beginChain()
    for earlier in self.book.chains[chain].rows where earlier < row {
      _ = try decide(
        row: earlier, chain: ChainPosition(chain), policy: policy, chainState: &chainState,
        into: &book)
    }
    begin(row, chain: ChainPosition(chain), &chainState)
    let view = pricingContext(at: row, chain: ChainPosition(chain), chainState)
    var steps: [DecisionTrail.Step] = []
    var decided: (rule: PriceRule, decision: Decision)?
    for rule in PriceRule.allCases {
      var notes = DecisionNotes(areKept: true)
      var outcome = DecisionTrail.Outcome.skipped
      if decided == nil {
        switch try apply(rule, view, &chainState, policy, &notes) {
        case .passed(let reason): outcome = .passed(reason)
        case .decided(let decision):
          outcome = .decided
          decided = (rule, decision)
        }
      }
      steps.append(
        DecisionTrail.Step(rule: rule, outcome: outcome, candidates: notes.candidates))
    }
    guard let decided else { preconditionFailure("no rule decides this row") }
    var without: PaidAmount?
    if decided.rule == .ownerCorrection {
      let other = try decision(after: .ownerCorrection, view, chainState, policy)
      without = try amount(view, other.rule, other.decision)
    }
    return DecisionTrail(
      amount: try amount(view, decided.rule, decided.decision),
      withoutCorrection: without,
      lists: view.lists, isRunning: view.isRunning, steps: steps)
  }

  /// Converts the price in a report into a candidate.
  ///
  /// The candidate has no price if the report has no price of the row's kind.
  func candidate(_ position: ReportPosition, _ price: ReportedPrice?, distance: Milliseconds)
    -> PriceCandidate
  {
    PriceCandidate(
      origin: .report(position), price: price.map(amount), currency: report(position).currency,
      paymentMode: price.flatMap(mode), distance: distance)
  }

  /// Converts an earlier row's price into a candidate.
  func candidate(_ earlier: PricedRow, _ row: PricingContext) -> PriceCandidate {
    PriceCandidate(
      origin: .row(RowPosition(earlier.row)), price: earlier.unitPrice, currency: row.currency,
      distance: earlier.time.since(row.time))
  }

  /// Converts an interval of the price history into a candidate.
  func candidate(interval index: Int, _ row: PricingContext) -> PriceCandidate {
    let interval = prices.history.intervals[index]
    return PriceCandidate(
      origin: .interval(index), price: interval.price, currency: interval.currency,
      paymentMode: interval.paymentMode, distance: interval.from?.since(row.time))
  }

  /// Converts a price change of the catalogue into a candidate.
  ///
  /// `price` is the price in force after the change; `nil` if this price is unknown.
  func candidate(
    change: (at: Instant, existingSubscribers: ExistingSubscribers), _ price: Milliunits?,
    _ row: PricingContext
  ) -> PriceCandidate {
    PriceCandidate(
      origin: .change(from: change.at, change.existingSubscribers), price: price,
      currency: row.currency, distance: change.at.since(row.time))
  }
}
