internal import StateStore
internal import Amounts
internal import CivilTime
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// An index of the last publication, by which a night decides only the keys with news.
///
/// A cache beside state.db, a few dozen bytes for each chain, report and transaction id. It decides
/// no amount: it only tells which households may be skipped. If it is missing or not of the last
/// publication, everything is decided anew.
struct PublishedIndex: Sendable {
  /// The publication that an index was made for.
  struct Origin: Hashable, BitwiseCopyable {
    /// The run that published.
    var run: Int64
    /// The list of erased customers and forgotten files.
    var removals: Int64
  }

  /// A chain, by its position.
  struct Chain: BitwiseCopyable {
    var key: ChainKey
    /// The chain that represents its Apple account.
    var account: ChainPosition
    var isSandbox: Bool
    var isStanding: Bool
    /// The moment at which time alone changes one of its rows; `distantFuture` for never.
    var nextChangeAt: Instant
  }

  /// A chain that claims a transaction id.
  struct Claim: BitwiseCopyable {
    var id: TransactionID
    var chain: ChainPosition
  }

  /// A purchase to which an id goes that several chains claim.
  struct Winner: BitwiseCopyable {
    var id: TransactionID
    var purchase: PurchaseKey
  }

  /// A placed report beside its place and price: the customer and purchase it names, and the
  /// judgement on it.
  struct Report: BitwiseCopyable {
    var customer: CustomerID?
    var transactionID: TransactionID?
    /// The purchase it names, and that purchase's chain; `nil` for none.
    var named: NamedPurchase?
    var namedChain: ChainPosition?
    var opinion: Opinion
  }

  /// The part of a judgement that decides rows.
  struct Opinion: Hashable, BitwiseCopyable {
    var reference: Milliunits?
    var place: Storefront?
    var verdict: Verdict
    var isConfirmed: Bool

    init(_ judgement: Judgement) {
      reference = judgement.reference
      place = judgement.place
      verdict = judgement.verdict
      isConfirmed = judgement.isConfirmed
    }
  }

  /// A signed price that votes, and the chain of its purchase.
  struct Vote: BitwiseCopyable {
    var chain: ChainPosition
    var placed: PlacedReport
  }

  /// A question that a chain asks.
  struct Question: BitwiseCopyable {
    var chain: ChainKey
    var question: PaidAmounts.OpenQuestion
  }

  var origin = Origin(run: 0, removals: 0)
  /// Lower-case hex of a SHA-256 over the settings, and of the program's and the rules' versions.
  var settings = ""
  /// The files that count.
  var files: [FileKeys.Reading] = []
  /// The newest snapshot.
  var asOf = Instant.epoch
  var chains: [Chain] = []
  var customers: [Households.ChainCustomer] = []
  /// By id, then chain.
  var claims: [Claim] = []
  var winners: [Winner] = []
  /// The price reports that are used, by evidence id.
  var placed: [PlacedReport] = []
  /// The names in each placed report and the judgements on them, in their order.
  var reports: [Report] = []
  /// The judgements where signed prices are hidden, in their order; none if no price is signed.
  var unsignedOpinions: [Opinion] = []
  var offers = OfferLists()
  /// Whether a price is signed anywhere.
  var isSigned = false
  var votes: [Vote] = []
  /// The places of customers, from records without a row.
  var storefronts: [StorefrontSighting] = []
  var nobodies: [Households.Nobody] = []
  var products = ProductFacts()
  var prices = PublishedPrices(intervals: [], currencies: [], apart: [])
  /// The same where signed prices are hidden.
  var unsignedPrices = PublishedPrices(intervals: [], currencies: [], apart: [])
  var questions: [Question] = []
  var tally = FactTally()
  var totals = FactTotals()
  /// The claims and reports of a full run, which are in no array here.
  var streamed: FullIndexRows?
}
