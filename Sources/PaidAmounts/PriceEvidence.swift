internal import Amounts
internal import CivilTime
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
  let groups: PriceGroups
  let ledger: ReportLedger
  let history: PriceHistory
  let customerPrices: CustomerPrices
  let storefronts: StorefrontEvidence
  let currencyVotes: CurrencyVotes
  let consents: PriceConsents

  /// Judges the reports and learns the price histories, with several threads at once.
  public init(
    book: PurchaseBook, courses: PurchaseCourses, set: SightingSet, catalogue: Catalogue,
    workers: Int = 1
  ) {
    self.book = book
    self.courses = courses
    self.set = set
    self.catalogue = catalogue
    groups = PriceGroups(reports: set.reports, catalogue: catalogue)
    var ledger = ReportLedger(set: set, book: book, groups: groups, workers: workers)
    Plausibility.judge(&ledger, set: set, groups: groups, workers: workers)
    let history = PriceHistory(ledger: ledger, set: set, groups: groups, workers: workers)
    let chainOfRow = book.chains.indices.flatMap { chain in
      repeatElement(Int32(chain), count: book.chains[chain].rows.count)
    }
    let judged = ledger
    (storefronts, (customerPrices, currencyVotes)) = sideBySide(workers: workers) {
      StorefrontEvidence(ledger: judged, set: set, book: book, chainOfRow: chainOfRow)
    } _: {
      (
        CustomerPrices(
          history: history, ledger: judged, set: set, book: book, chainOfRow: chainOfRow),
        CurrencyVotes(ledger: judged, set: set)
      )
    }
    consents = PriceConsents(book: book, consented: set.symbols.symbol("1"))
    self.history = history
    self.ledger = ledger
  }

  /// The price histories, by product, currency, kind and start.
  public var intervals: [PriceInterval] { history.intervals }
}

/// When each chain was seen to have consented to a price increase.
struct PriceConsents: Sendable {
  /// From the first snapshot that shows a consent through the last that shows it unchanged.
  private var times: [(from: Int64, through: Int64)] = []
  private var starts: [Int32] = [0]

  /// Finds the renewal states whose consent is "1".
  init(book: PurchaseBook, consented: Symbol?) {
    starts.reserveCapacity(book.chains.count + 1)
    for chain in book.chains {
      if let consented {
        for state in chain.renewalStates
        where book.renewalStates[state].priceConsentStatus == consented {
          times.append(
            (
              book.renewalStates[state].observedAt.milliseconds,
              book.renewalStates[state].lastObservedAt.milliseconds
            ))
        }
      }
      starts.append(Int32(times.count))
    }
  }

  /// Whether the chain's consent was seen between two moments, both included, or before and after
  /// them without a change.
  func isShown(chain: Int32, from: Int64, through: Int64) -> Bool {
    let range = Int(starts[Int(chain)])..<Int(starts[Int(chain) + 1])
    let first = times.firstPosition(in: range) { $0.through >= from }
    return first < range.upperBound && times[first].from <= through
  }
}
