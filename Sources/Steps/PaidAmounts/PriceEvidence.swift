internal import CivilTime
internal import Parallel
public import PriceLearning
public import PurchaseModel
public import Purchases

/// The evidence about the households of a batch, indexed for the rules; immutable.
///
/// A class, so that a copy costs one reference count instead of one per array.
public final class PriceEvidence: Sendable {
  let book: PurchaseHistory
  let timelines: BillingTimelines
  let reports: [HouseholdReport]
  let offers: OfferLists
  let reportVerdicts: [ReportVerdict]
  let catalogue: Catalogue
  let named: NamedRows
  let places: HouseholdStorefronts
  let moments: HouseholdMoments
  /// The households some of whose storefronts were left out, because currencies contradict them.
  let misplaced: Set<HouseholdNumber>
  /// The Apple account of each chain.
  let accounts: RecordedAccounts
  /// The moments of each Apple account.
  let accountMoments: HouseholdMoments
  let ownReports: OwnReports
  let currencies: HouseholdCurrencies
  let consents: PriceConsents
  /// The owner's corrections of amounts, keyed by row; empty in a backtest.
  let corrections: [Int: Catalogue.Correction]
  /// The price book, learned from the reports and the signed prices.
  public let prices: PriceBook
  /// The prices in Apple's Sales reports, and the number of revenue rows in each cell.
  ///
  /// `nil` without reports, and in a backtest.
  let cells: SalesReportTotals?
  /// Whether signed prices are hidden from the rules, as in a backtest.
  let hidesSigned: Bool

  /// Indexes the evidence of some households.
  ///
  /// - Parameters:
  ///   - consented: The symbol of the text "1", Apple's code for a consent to a price increase.
  ///   - cells: The prices in Apple's reports; `nil` without reports, or if they are hidden.
  public init(
    _ batch: HouseholdBatch, timelines: BillingTimelines, reportVerdicts: [ReportVerdict],
    prices: PriceBook, catalogue: Catalogue, consented: Symbol?, cells: SalesReportTotals? = nil,
    hidesSigned: Bool = false
  ) {
    misplaced = batch.misplacedHouseholds(reportVerdicts)
    let batch = batch.withoutWrongPlaces(reportVerdicts)
    self.cells = cells
    self.hidesSigned = hidesSigned
    book = batch.book
    self.timelines = timelines
    reports = batch.reports
    offers = batch.offers
    self.reportVerdicts = reportVerdicts
    self.catalogue = catalogue
    self.prices = prices
    let named = NamedRows(batch)
    self.named = named
    places = HouseholdStorefronts(batch, named, reportVerdicts: reportVerdicts)
    moments = HouseholdMoments(batch)
    let accounts = RecordedAccounts(batch)
    self.accounts = accounts
    accountMoments = HouseholdMoments(batch, named, of: accounts)
    ownReports = OwnReports(batch, named, reportVerdicts: reportVerdicts, prices: prices)
    currencies = HouseholdCurrencies(batch, reportVerdicts: reportVerdicts)
    consents = PriceConsents(book: batch.book, consented: consented)
    corrections =
      hidesSigned ? [:] : Self.corrections(catalogue.corrections, of: batch.book)
  }
}

/// The times at which snapshots show a chain's consent to a price increase.
struct PriceConsents: Sendable {
  /// The span of each renewal state with a consent: from its first snapshot through its last.
  private var times: [(from: Instant, through: Instant)] = []
  private var starts: [Int32] = [0]

  /// Finds the renewal states whose `price_consent_status` is "1": the customer consented.
  init(book: PurchaseHistory, consented: Symbol?) {
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

  /// Returns true if a snapshot shows the chain's consent between two moments, both included.
  ///
  /// Also returns true if the renewal state with the consent began before the first moment and
  /// ended after the second.
  func isShown(chain: ChainPosition, from: Instant, through: Instant) -> Bool {
    let range = Int(starts[chain.index])..<Int(starts[chain.index + 1])
    let first = times.firstPosition(in: range) { $0.through >= from }
    return first < range.upperBound && times[first].from <= through
  }
}
