internal import Amounts
internal import CivilTime
internal import Parallel
public import PriceLearning
public import PurchaseModel
public import Purchases

/// Everything the rules ask, made once and then only read.
///
/// Deciding the rows of one chain needs nothing of another chain's rows, so chains can be decided
/// in any order and at once. A class, because threads that copy a structure of so many arrays spend
/// their time on counting who refers to them.
public final class PriceEvidence: Sendable {
  let book: PurchaseBook
  let courses: PurchaseCourses
  let set: SightingSet
  let catalogue: Catalogue
  let placement: ReportPlacement
  let places: HouseholdPlaces
  let ownReports: OwnReports
  let currencies: HouseholdCurrencies
  let consents: PriceConsents
  /// What learning made of the reports and the signed prices.
  public let prices: PriceBook
  /// Whether signed prices are hidden: what the rules decide without them (RULES, "Backtest").
  let hidesSigned: Bool

  /// Places the reports and learns from them, with several threads at once.
  public init(
    book: PurchaseBook, courses: PurchaseCourses, set: SightingSet, catalogue: Catalogue,
    workers: Int = 1, hidesSigned: Bool = false
  ) {
    self.hidesSigned = hidesSigned
    self.book = book
    self.courses = courses
    self.set = set
    self.catalogue = catalogue
    let chainOfRow = book.chains.indices.flatMap { chain in
      repeatElement(Int32(chain), count: book.chains[chain].rows.count)
    }
    let placement = ReportPlacement(
      set: set, book: book, chainOfRow: chainOfRow, workers: workers)
    let places = HouseholdPlaces(placement, set: set, book: book)
    var placed = placement.entries.map { entry in
      let told = set.reports[Int(entry.report)].storefront
      return PlacedReport(
        report: entry.report, time: entry.time, voter: entry.voter,
        place: told
          ?? entry.household.flatMap {
            places.nearest(to: entry.time, household: $0)?.storefront
          }, isPlaceTold: told != nil)
    }
    let signed = hidesSigned ? [] : signedVotes(book: book, courses: courses)
    for (index, vote) in signed.enumerated() {
      placed.append(vote.placed(at: set.reports.count + index, voter: placement.voters + index))
    }
    let prices = learnPrices(
      from: placed, reports: set.reports + signed.map(\.report), offers: set.offers,
      catalogue: catalogue,
      workers: workers)
    (ownReports, currencies) = sideBySide(workers: workers) {
      OwnReports(placement, prices: prices, set: set, book: book)
    } _: {
      HouseholdCurrencies(
        placement, prices: prices, set: set, households: book.households.count)
    }
    consents = PriceConsents(book: book, consented: set.symbols.symbol("1"))
    self.placement = placement
    self.places = places
    self.prices = prices
  }

  /// The price histories, by product, currency, kind and start.
  public var intervals: [PriceInterval] { prices.history.intervals }
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
