internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import Testing

struct ConversionCase: CustomTestStringConvertible {
  var story: String
  var rows: [Row]
  /// The number of rows that belong to the offer, from the first.
  var offerRows = 1
  var states: [State] = []
  var asOf: Int64 = 500
  var status: ConversionStatus
  var by: Int?
  var sameProduct: Bool?
  var contiguous: Bool?
  var days: Int64?
  var refunded: Int64?

  var testDescription: String { story }
}

private let outcomes: [ConversionCase] = [
  ConversionCase(
    story: "the first paid month converts a week's trial, seven days after its start",
    rows: [.trial(0, 7), .regular(7, 38)],
    status: .converted, by: 1, sameProduct: true, contiguous: true, days: 7),
  ConversionCase(
    story: "an amount that is not known counts as paid",
    rows: [.trial(0, 7), .regular(7, 38, paid: nil)],
    status: .converted, by: 1, sameProduct: true, contiguous: true, days: 7),
  ConversionCase(
    story: "a regular row at a price of 0 does not convert a free offer, the next one does",
    rows: [.trial(0, 7), .regular(7, 38, paid: 0), .regular(38, 69)],
    status: .converted, by: 2, sameProduct: true, contiguous: false, days: 38),
  ConversionCase(
    story: "a paid introductory price converts a free offer",
    rows: [.trial(0, 7), .paid(.intro, 7, 38, 1), .regular(38, 69)],
    status: .converted, by: 1, sameProduct: true, contiguous: true, days: 7),
  ConversionCase(
    story: "a second free offer does not convert the first",
    rows: [.trial(0, 7), .trial(7, 14).with { $0.kind = .promo }, .regular(14, 45)],
    status: .converted, by: 2, sameProduct: true, contiguous: false, days: 14),
  ConversionCase(
    story: "a paid offer is converted by a regular row, not by another offer",
    rows: [.paid(.intro, 0, 31, 1), .paid(.promo, 31, 60, 5), .regular(60, 91)],
    status: .converted, by: 2, sameProduct: true, contiguous: false, days: 60),
  ConversionCase(
    story: "a regular row at a price of 0 converts a paid offer",
    rows: [.paid(.intro, 0, 31, 1), .regular(31, 60, paid: 0)],
    status: .converted, by: 1, sameProduct: true, contiguous: true, days: 31),
  ConversionCase(
    story: "the offer ends with the last of its rows",
    rows: [.paid(.intro, 0, 31, 1), .paid(.intro, 31, 60, 1), .regular(60, 91)], offerRows: 2,
    status: .converted, by: 2, sameProduct: true, contiguous: true, days: 60),
  ConversionCase(
    story: "an upgrade within the trial converts it at once, to another product",
    rows: [.trial(0, 7).upgraded(on: 3), .regular(3, 34).of(product: 1)],
    status: .converted, by: 1, sameProduct: false, contiguous: true, days: 3),
  ConversionCase(
    story: "24 hours after the end is contiguous",
    rows: [.trial(0, 7), .regular(8, 39)],
    status: .converted, by: 1, sameProduct: true, contiguous: true, days: 8),
  ConversionCase(
    story: "exactly 60 days after the end converts",
    rows: [.trial(0, 7), .regular(67, 98)],
    status: .converted, by: 1, sameProduct: true, contiguous: false, days: 67),
  ConversionCase(
    story: "61 days after the end is too late",
    rows: [.trial(0, 7), .regular(68, 99)], status: .lapsed),
  ConversionCase(
    story: "before the 60 days are over it is pending",
    rows: [.trial(0, 7)], asOf: 66, status: .pending),
  ConversionCase(
    story: "when they are over it has lapsed",
    rows: [.trial(0, 7)], asOf: 67, status: .lapsed),
  ConversionCase(
    story: "while Apple tries to charge it is in billing retry",
    rows: [.trial(0, 7)],
    states: [State(on: 6, retry: false), State(on: 8, retry: true)], asOf: 9,
    status: .billingRetry),
  ConversionCase(
    story: "the newest renewal state decides, not an older one",
    rows: [.trial(0, 7)],
    states: [State(on: 8, retry: true), State(on: 9, retry: false)], asOf: 9, status: .pending),
  ConversionCase(
    story: "a retry does not outlast the 60 days",
    rows: [.trial(0, 7)], states: [State(on: 8, retry: true)], asOf: 67, status: .lapsed),
  ConversionCase(
    story: "a refunded conversion still is one",
    rows: [.trial(0, 7), .regular(7, 38).refunded(on: 16)],
    status: .converted, by: 1, sameProduct: true, contiguous: true, days: 7, refunded: 16),
  ConversionCase(
    story: "an upgraded converting row was not refunded",
    rows: [.trial(0, 7), .regular(7, 38).upgraded(on: 20), .regular(20, 51).of(product: 1)],
    status: .converted, by: 1, sameProduct: true, contiguous: true, days: 7),
]

@Test(arguments: outcomes)
func `an offer is converted, pending or lapsed`(_ example: ConversionCase) throws {
  var chains = ChainFixture()
  chains.add(example.rows, states: example.states)
  chains.offers([(0, 0..<example.offerRows)])
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts,
    asOf: moment(example.asOf), completeUntil: nil)
  let conversion = try #require(result.conversions.first)
  #expect(conversion.status == example.status)
  #expect(conversion.convertedBy?.index == example.by)
  #expect(conversion.isSameProduct == example.sameProduct)
  #expect(conversion.isContiguous == example.contiguous)
  #expect(conversion.daysToConvert == example.days)
  #expect(conversion.conversionRefundedAt == example.refunded.map(moment))
}

@Test func `an offer matures 60 days after its end`() throws {
  // The trial ends on day 7, so it matures on day 67 at 00:00.
  var chains = ChainFixture([[.trial(0, 7)]])
  chains.offers([(0, 0..<1)])
  for (asOf, isMature) in [(moment(67), true), (moment(67).advanced(by: .seconds(-1)), false)] {
    let result = subscriptions(
      book: chains.book, timelines: chains.timelines, amounts: chains.amounts, asOf: asOf,
      completeUntil: nil)
    let conversion = try #require(result.conversions.first)
    #expect(conversion.maturesAt == moment(67))
    #expect(conversion.isMature == isMature)
  }
}

@Test func `offers are numbered within their chain and never look into the next one`() {
  var chains = ChainFixture([
    [.trial(0, 7), .paid(.promo, 7, 38, 5)],
    [.trial(8, 15), .regular(15, 46)],
  ])
  chains.offers([(0, 0..<1), (0, 1..<2), (1, 0..<1)])
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts, asOf: moment(40),
    completeUntil: nil)
  #expect(result.conversions.map(\.offerNumber) == [1, 2, 1])
  #expect(result.conversions.map(\.convertedBy?.index) == [1, nil, 3])
  #expect(result.conversions.map(\.status) == [.converted, .pending, .converted])
}

@Test func `an offer's amount is the sum of its rows, unknown where one is`() {
  var chains = ChainFixture([
    [.paid(.intro, 0, 31, 1), .paid(.intro, 31, 60, 2)],
    [.paid(.intro, 0, 31, 1), .paid(.intro, 31, 60, nil)],
    [.paid(.intro, 0, 31, Int64.max / 2000), .paid(.intro, 31, 60, Int64.max / 1001)],
  ])
  chains.offers([(0, 0..<2), (1, 0..<2), (2, 0..<2)])
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts, asOf: moment(40),
    completeUntil: nil)
  #expect(result.conversions.map(\.offerPaid) == [Milliunits(3000), nil, nil])
}

@Test func `paid rows are numbered through the chain, free ones are not`() {
  let chains = ChainFixture([
    [.trial(0, 7), .regular(7, 38), .regular(38, 69, paid: nil), .regular(69, 100, paid: 0)],
    [.regular(0, 31).refunded(on: 3), .regular(31, 60)],
  ])
  let result = subscriptions(
    book: chains.book, timelines: chains.timelines, amounts: chains.amounts, asOf: moment(40),
    completeUntil: nil)
  #expect(result.paidNumbers == [nil, 1, 2, nil, 1, 2])
}
