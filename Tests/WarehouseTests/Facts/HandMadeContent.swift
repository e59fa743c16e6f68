import Amounts
import SharedTables
import CivilTime
import ExchangeRates
import Foundation
import PriceLearning
import Proceeds
import PurchaseModel
import TemporaryFiles
import Warehouse

@testable import Deciding
@testable import PaidAmounts
@testable import Purchases
@testable import Subscriptions

/// The content of a publication, as written by hand in a test.
struct HandMadeContent {
  /// A report with its verdict.
  struct Report {
    var report: Int
    var purchase: Int?
    var reportVerdict: ReportVerdict
  }

  /// The amounts and the evidence.
  struct Amounts {
    var amounts: [PaidAmount] = []
    var reports: [Report] = []
    var intervals: [PriceInterval] = []
  }

  var observations: Observations
  var purchases = PurchaseHistory()
  var timelines = BillingTimelines()
  var products = ProductFacts()
  var amounts = Amounts()
  var reporting = ReportingConverter()
  var subscriptions = SubscriptionResults(conversions: [], subscriptions: [], paidNumbers: [])
  var catalogue = Catalogue()
  var asOf: Instant
  var customerKey: [UInt8]
  var files: [StoredFile] = []
  var rejects: [StoredReject] = []
  var gates: [RunGate] = []
  var run: PublishedRun

  /// The output of the step decide, made by hand.
  private var decided: DecidedHouseholds {
    var timelines = timelines
    for chain in purchases.chains { timelines.setAccessEnds(of: chain, purchases) }
    var offers = OfferLists()
    let reports = amounts.reports.map { own in
      let report = observations.reports[own.report]
      return HouseholdReport(
        report: report, offers: offers.index(of: Array(observations.offers[report.offers])),
        customer: report.customer, household: HouseholdNumber(0),
        named: own.purchase.map { NamedPurchase(purchases.purchases[$0]) }, voter: Voter(0))
    }
    var book = PaidAmountResults()
    book.amounts = amounts.amounts
    return DecidedHouseholds(
      purchases: purchases, reports: reports, reportVerdicts: amounts.reports.map(\.reportVerdict),
      offers: offers, timelines: timelines, amounts: book, subscriptions: subscriptions,
      events: [],
      eligibility: offerEligibility(
        book: purchases, timelines: timelines, subscriptions: subscriptions.subscriptions),
      reporting: reporting, nextChanges: [])
  }

  /// The content with its rows encoded.
  func content(in folder: String) throws -> WarehouseContent {
    var set = observations
    set.customers = Customers(set.symbols)
    let facts = FactStore(memory: SortMemory(bytes: 1 << 24, path: folder + "/sort"))
    let writer = facts.writer(
      try FactContext(
        runID: run.runID, set: set, catalogue: catalogue, products: products,
        customerKey: customerKey))
    try writer.add(decided)
    try writer.add(
      amounts.intervals, reported: amounts.reports.map { observations.reports[$0.report].productID }
    )
    try writer.finish()
    var content = WarehouseContent(facts: facts, run: run)
    content.run.asOf = asOf
    content.files = files
    content.rejects = rejects
    content.gates = gates
    content.run.reportingCurrency = reporting.currency?.currency.code
    return content
  }
}

extension WarehouseDatabase {
  /// Publishes the content that a test wrote.
  func publish(_ content: HandMadeContent) throws -> PublishReport {
    try publish(try content.content(in: NSTemporaryDirectory()))
  }
}
