import PaidAmounts
import PurchaseModel
import Testing
import TestSupport

/// One story a case: the intervals of the regular price of `pro` in USD.
struct HistoryCase: Sendable, CustomTestStringConvertible {
  var story: String
  var expected: [String]
  var tell: @Sendable (inout StoreBuilder) -> Void
  var testDescription: String { story }
}

struct PriceHistoryTests {
  @Test(arguments: levelCases + stretchCases)
  func `believed reports tell which price was in force when`(_ given: HistoryCase) throws {
    let story = try Story(given.tell)
    #expect(story.regularIntervals() == given.expected)
  }

  @Test func `an interval counts voters, reports and what was not believed`() throws {
    let story = try Story { store in
      store.votes("9.99", by: ["a", "b", "b", "d"], at: "2022-01-01")
      store.votes("12.99", by: ["c"], at: "2022-01-02")
      store.votes("999", by: ["eve"], at: "2022-01-03")
    }
    let interval = try #require(story.result.intervals.first)
    #expect(interval.voters == 3)
    #expect(interval.reports == 4)
    #expect(interval.rejectedReports == 1)
    #expect(interval.firstReport == 0)
  }

  @Test func `an introductory price has a series for each storefront and payment mode`() throws {
    let story = try Story { store in
      store.votes(
        "9.99", by: ["a", "b"], at: "2022-01-01", storefront: "DEU", currency: "EUR",
        offers: [StoreOffer(price: "0.99", count: 3)])
      store.votes(
        "9.99", by: ["c"], at: "2022-01-01", storefront: "FRA", currency: "EUR",
        offers: [StoreOffer(price: "1.99", mode: .payUpFront, count: 3)])
      store.votes(
        "9.99", by: ["d"], at: "2022-01-01", storefront: "FRA", currency: "EUR",
        offers: [StoreOffer(price: "0", mode: .freeTrial)])
    }
    let series = story.result.intervals.dropFirst().map(\.series.kind)
    #expect(
      series == [
        .introductory(storefront("DEU"), .payAsYouGo),
        .introductory(storefront("FRA"), .payUpFront),
      ])
    #expect(story.result.intervals.map(\.numberOfPeriods) == [nil, 3, 3])
    #expect(story.result.intervals.map(\.period) == [nil, period("P1M"), period("P1M")])
  }

  @Test func `an offer is described as most voters say`() throws {
    let story = try Story { store in
      let short = StoreOffer("win", price: "4.99", count: 1)
      let long = StoreOffer("win", price: "4.99", count: 2)
      store.votes("9.99", by: ["a"], at: "2022-01-01", offers: [short])
      store.votes("9.99", by: ["a"], at: "2022-01-02", offers: [short])
      store.votes("9.99", by: ["b", "c"], at: "2022-01-03", offers: [long])
    }
    let offer = try #require(story.result.intervals.last)
    #expect(offer.series.kind == .offer(story.built.offer("win")))
    #expect(offer.numberOfPeriods == 2)
    #expect(offer.paymentMode == .payAsYouGo)
    #expect(offer.voters == 3)
  }

  @Test func `the catalogue's dates do not cut an offer's series`() throws {
    let story = try Story { store in
      store.product("pro", changes: [("USD", "2022-02-01", .moved)])
      let offer = StoreOffer("win", price: "4.99")
      store.votes("9.99", by: ["a", "b"], at: "2022-01-01", offers: [offer])
      store.votes("12.99", by: ["c", "d"], at: "2022-03-01", offers: [offer])
    }
    let offers = story.result.intervals.filter { $0.series.kind != .regular }
    #expect(offers.map(story.text) == ["- - 4.99 voters 4"])
  }

  @Test func `intervals are half-open`() throws {
    // The level of 12.99 begins with its first report, on the second.
    let story = try Story { store in
      store.votes("9.99", by: ["a", "b"], at: "2022-01-01", storefront: "USA")
      store.votes("12.99", by: ["c", "d"], at: "2022-02-01T12:00:00Z", storefront: "USA")
      for (id, time) in [("x", "2022-02-01T11:59:59Z"), ("y", "2022-02-01T12:00:00Z")] {
        store.record(
          at: "2022-03-01", storefront: "USA",
          latest: [
            StoreRow(id, item: id, bought: time, until: "2022-03-01", trial: false, intro: false)
          ])
      }
    }
    #expect(try story.line("x") == "9.99 USD inferred price_history")
    #expect(try story.line("y") == "12.99 USD inferred price_history")
  }
}

private let levelCases = [
  HistoryCase(
    story: "one voter's price holds for ever", expected: ["- - 9.99 voters 1"]
  ) { $0.votes("9.99", by: ["a"], at: "2022-01-01") },
  HistoryCase(
    story: "where no price has two voters the mode holds: 12.99 was reported twice",
    expected: ["- - 12.99 voters 1"]
  ) { store in
    store.votes("9.99", by: ["a"], at: "2022-01-01")
    store.votes("12.99", by: ["b"], at: "2022-01-02")
    store.votes("12.99", by: ["b"], at: "2022-01-03")
  },
  HistoryCase(
    story: "and of equal ones the lower price", expected: ["- - 9.99 voters 1"]
  ) { store in
    store.votes("12.99", by: ["b"], at: "2022-01-01")
    store.votes("9.99", by: ["a"], at: "2022-01-02")
  },
  HistoryCase(
    story: "a price with two voters is a level and begins with its first report",
    expected: [
      "- 2022-03-01T00:00:00Z 9.99 voters 2", "2022-03-01T00:00:00Z - 12.99 voters 2",
    ]
  ) { store in
    store.votes("9.99", by: ["a"], at: "2022-01-01")
    store.votes("9.99", by: ["b"], at: "2022-02-01")
    store.votes("12.99", by: ["c"], at: "2022-03-01")
    store.votes("12.99", by: ["d"], at: "2022-04-01")
  },
  HistoryCase(
    story: "a single voter between two levels is none", expected: ["- - 9.99 voters 3"]
  ) { store in
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("8.99", by: ["eve"], at: "2022-02-01")
    store.votes("9.99", by: ["c"], at: "2022-03-01")
  },
  HistoryCase(
    story: "a level inside another with as many later voters opens no interval",
    expected: ["- - 9.99 voters 4"]
  ) { store in
    // Two voters say 8.99 from February; two (c, d) still say 9.99 later.
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("8.99", by: ["eve", "fay"], at: "2022-02-01")
    store.votes("9.99", by: ["c", "d"], at: "2022-03-01")
  },
  HistoryCase(
    story: "with fewer later voters it does",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 2", "2022-02-01T00:00:00Z - 8.99 voters 2",
    ]
  ) { store in
    // One late phone still shows 9.99 in March: its vote lies in the next interval.
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("8.99", by: ["eve", "fay"], at: "2022-02-01")
    store.votes("9.99", by: ["c"], at: "2022-03-01")
  },
  HistoryCase(
    story: "reports at the very moment are no later ones",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 2", "2022-02-01T00:00:00Z - 8.99 voters 2",
    ]
  ) { store in
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("9.99", by: ["c", "d"], at: "2022-02-01")
    store.votes("8.99", by: ["eve", "fay"], at: "2022-02-01")
  },
  HistoryCase(
    story: "after a skipped level the next is measured against the one in force",
    expected: [
      "- 2022-04-01T00:00:00Z 9.99 voters 5", "2022-04-01T00:00:00Z - 12.99 voters 3",
    ]
  ) { store in
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("8.99", by: ["eve", "fay"], at: "2022-02-01")
    store.votes("9.99", by: ["c", "d", "g"], at: "2022-03-01")
    store.votes("12.99", by: ["h", "i", "k"], at: "2022-04-01")
  },
  HistoryCase(
    story: "of levels first reported at one moment the one with more voters holds",
    expected: ["- - 12.99 voters 3"]
  ) { store in
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("12.99", by: ["c", "d"], at: "2022-01-01")
    store.votes("12.99", by: ["e"], at: "2022-01-05")
  },
]

private let stretchCases = [
  HistoryCase(
    story: "a stretch after a price change has one price, whatever lone voters say",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 2", "2022-02-01T00:00:00Z - 12.99 voters 3",
    ]
  ) { store in
    store.product("pro", changes: [("USD", "2022-02-01", .preserved)])
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("12.99", by: ["c", "d", "e"], at: "2022-02-10")
    store.votes("14.99", by: ["f", "g"], at: "2022-05-01")
  },
  HistoryCase(
    story: "of equal votes the price with more reports, then the lower",
    expected: ["2022-02-01T00:00:00Z - 14.99 voters 1"]
  ) { store in
    store.product("pro", changes: [("USD", "2022-02-01", .preserved)])
    store.votes("12.99", by: ["c"], at: "2022-02-10")
    store.votes("14.99", by: ["f"], at: "2022-05-01")
    store.votes("14.99", by: ["f"], at: "2022-05-02")
  },
  HistoryCase(
    story: "a list price's date cuts too, but leaves levels",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 1",
      "2022-02-01T00:00:00Z 2022-03-01T00:00:00Z 9.99 voters 2",
      "2022-03-01T00:00:00Z - 12.99 voters 2",
    ]
  ) { store in
    store.product("pro", prices: [("USD", "9.99", "2022-02-01")])
    store.votes("9.99", by: ["a"], at: "2022-01-01")
    store.votes("9.99", by: ["b", "c"], at: "2022-02-02")
    store.votes("12.99", by: ["d", "e"], at: "2022-03-01")
  },
  HistoryCase(
    story: "a stretch without reports has no interval",
    expected: ["- 2022-02-01T00:00:00Z 9.99 voters 2", "2022-03-01T00:00:00Z - 12.99 voters 2"]
  ) { store in
    store.product("pro", changes: [("USD", "2022-02-01", .moved), ("USD", "2022-03-01", .moved)])
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("12.99", by: ["d", "e"], at: "2022-03-01")
  },
  HistoryCase(
    story: "another currency's dates cut nothing", expected: ["- - 9.99 voters 4"]
  ) { store in
    store.product("pro", changes: [("EUR", "2022-02-01", .moved)])
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("9.99", by: ["c", "d"], at: "2022-03-01")
  },
]
