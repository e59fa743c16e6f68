internal import CivilTime
internal import Parallel
public import PriceLearning
public import PurchaseModel
public import Purchases

/// Everything the rules ask about the households of a batch, made once and then only read.
///
/// A class, because who copies a structure of so many arrays spends the time on counting who refers
/// to them.
public final class PriceEvidence: Sendable {
  let book: PurchaseBook
  let courses: PurchaseCourses
  let reports: [HouseholdReport]
  let offers: OfferLists
  let judgements: [Judgement]
  let catalogue: Catalogue
  let named: NamedRows
  let places: HouseholdPlaces
  let ownReports: OwnReports
  let currencies: HouseholdCurrencies
  let consents: PriceConsents
  /// What learning made of the reports and the signed prices.
  public let prices: PriceBook
  /// What Apple's reports say, with all rows counted; `nil` where none was read, and in a backtest.
  let cells: AppleCells?
  /// Whether signed prices are hidden: what the rules decide without them (RULES, "Backtest").
  let hidesSigned: Bool

  /// Sorts the evidence of some households.
  ///
  /// - Parameters:
  ///   - batch: The households.
  ///   - courses: Where each revenue row stands in its chain.
  ///   - judgements: What is thought of each of the batch's reports, in their order.
  ///   - prices: What learning made of all reports.
  ///   - catalogue: What App Store Connect knows.
  ///   - consented: How Apple codes a consent to a price increase: the text "1".
  ///   - cells: What Apple's reports say; `nil` where none was read or they are hidden.
  ///   - hidesSigned: Whether rules see no signed price: for the backtest.
  public init(
    _ batch: HouseholdBatch, courses: PurchaseCourses, judgements: [Judgement],
    prices: PriceBook, catalogue: Catalogue, consented: Symbol?, cells: AppleCells? = nil,
    hidesSigned: Bool = false
  ) {
    self.cells = cells
    self.hidesSigned = hidesSigned
    book = batch.book
    self.courses = courses
    reports = batch.reports
    offers = batch.offers
    self.judgements = judgements
    self.catalogue = catalogue
    self.prices = prices
    let named = NamedRows(batch)
    self.named = named
    places = HouseholdPlaces(batch, named)
    ownReports = OwnReports(batch, named, judgements: judgements, markets: prices.markets)
    currencies = HouseholdCurrencies(batch, judgements: judgements)
    consents = PriceConsents(book: batch.book, consented: consented)
  }
}

/// When each chain was seen to have consented to a price increase.
struct PriceConsents: Sendable {
  /// From the first snapshot that shows a consent through the last that shows it unchanged.
  private var times: [(from: Instant, through: Instant)] = []
  private var starts: [Int32] = [0]

  /// Finds the renewal states whose consent is "1".
  init(book: PurchaseBook, consented: Symbol?) {
    starts.reserveCapacity(book.chains.count + 1)
    for chain in book.chains {
      if let consented {
        for state in chain.renewalStates
        where book.renewalStates[state].priceConsentStatus == consented {
          times.append(
            (book.renewalStates[state].observedAt, book.renewalStates[state].lastObservedAt))
        }
      }
      starts.append(Int32(times.count))
    }
  }

  /// Whether the chain's consent was seen between two moments, both included, or before and after
  /// them without a change.
  func isShown(chain: Int32, from: Instant, through: Instant) -> Bool {
    let range = Int(starts[Int(chain)])..<Int(starts[Int(chain) + 1])
    let first = times.firstPosition(in: range) { $0.through >= from }
    return first < range.upperBound && times[first].from <= through
  }
}
