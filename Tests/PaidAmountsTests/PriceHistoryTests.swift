import PriceLearning
import PurchaseModel
import Testing
import TestSupport

/// A scenario with the expected intervals of the regular price of `pro` in USD.
struct HistoryCase: Sendable, CustomTestStringConvertible {
  var story: String
  var expected: [String]
  var build: @Sendable (inout StoreBuilder) -> Void
  var testDescription: String { story }
}

struct PriceHistoryTests {
  @Test(arguments: levelCases + stretchCases)
  func `believed reports tell which price was in force when`(_ given: HistoryCase) throws {
    let story = try Story(given.build)
    #expect(story.regularIntervals() == given.expected)
  }

  @Test func `an interval counts voters, reports and what was not believed`() throws {
    let story = try Story { store in
      store.votes("9.99", by: ["a", "b", "b", "d"], at: "2022-01-01")
      store.votes("12.99", by: ["c"], at: "2022-01-02")
      store.votes("999", by: ["eve"], at: "2022-01-03")
    }
    let interval = try #require(story.intervals.first)
    #expect(interval.voters == 3)
    #expect(interval.reports == 4)
    #expect(interval.rejectedReports == 1)
    #expect(interval.firstReport == 1)
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
    let series = story.intervals.dropFirst().map(\.series)
    let quarter = OfferLength(numberOfPeriods: 3, period: period("P1M"))
    #expect(
      series.map(\.kind) == [
        .introductory(.payAsYouGo, quarter), .introductory(.payUpFront, quarter),
      ])
    #expect(series.map(\.storefront) == [storefront("DEU"), storefront("FRA")])
    #expect(story.intervals.map(\.length.text) == ["", "3xP1M", "3xP1M"])
  }

  @Test func `an offer is described as most voters say`() throws {
    let story = try Story { store in
      let short = StoreOffer("win", price: "4.99", count: 1)
      let long = StoreOffer("win", price: "4.99", count: 2)
      store.votes("9.99", by: ["a"], at: "2022-01-01", offers: [short])
      store.votes("9.99", by: ["a"], at: "2022-01-02", offers: [short])
      store.votes("9.99", by: ["b", "c"], at: "2022-01-03", offers: [long])
    }
    let offer = try #require(story.intervals.last)
    #expect(offer.series.kind == .offer(story.built.offer("win")))
    #expect(offer.length.numberOfPeriods == 2)
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
    let offers = story.intervals.filter { $0.series.kind != .regular }
    #expect(offers.map(story.text) == ["- - 4.99 voters 4"])
  }

  @Test func `intervals are half-open`() throws {
    // The level of 12.99 begins with its first report, on the second. Between the last report of
    // 9.99 and that report either price may be in force.
    let story = try Story { store in
      store.votes("9.99", by: ["a", "b", "e"], at: "2022-01-01", storefront: "USA")
      store.votes("12.99", by: ["c", "d", "f"], at: "2022-02-01T12:00:00Z", storefront: "USA")
      for (id, time) in [("x", "2022-02-01T11:59:59Z"), ("y", "2022-02-01T12:00:00Z")] {
        store.record(
          at: "2022-03-01", storefront: "USA",
          latest: [
            StoreRow(id, item: id, bought: time, until: "2022-03-01", trial: false, intro: false)
          ])
      }
    }
    #expect(try story.line("x") == "[9.99, 12.99] USD unresolved unresolved")
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
    story: "three votes pay for a step, which takes effect with the first of them",
    expected: [
      "- 2022-03-01T00:00:00Z 9.99 voters 3", "2022-03-01T00:00:00Z - 12.99 voters 3",
    ]
  ) { store in
    store.votes("9.99", by: ["a"], at: "2022-01-01")
    store.votes("9.99", by: ["b", "c"], at: "2022-02-01")
    store.votes("12.99", by: ["d"], at: "2022-03-01")
    store.votes("12.99", by: ["e", "f"], at: "2022-04-01")
  },
  HistoryCase(
    story: "two do not: 2 < 2.5", expected: ["- - 9.99 voters 3"]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01")
    store.votes("12.99", by: ["d", "e"], at: "2022-03-01")
  },
  HistoryCase(
    story: "a voter counts once a day and price: two voters on two days are four votes",
    expected: [
      "- 2022-03-01T08:00:00Z 9.99 voters 4", "2022-03-01T08:00:00Z - 12.99 voters 2",
    ]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c", "d"], at: "2022-01-01")
    for day in ["2022-03-01", "2022-03-02"] {
      store.votes("12.99", by: ["e", "f"], at: day + "T08:00:00Z")
    }
  },
  HistoryCase(
    story: "on one day they are two", expected: ["- - 9.99 voters 4"]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c", "d"], at: "2022-01-01")
    for hour in ["08", "09"] {
      store.votes("12.99", by: ["e", "f"], at: "2022-03-01T\(hour):00:00Z")
    }
  },
  HistoryCase(
    story: "a fortnight's price is an interval of its own where six votes pay for two steps: 5 < 6",
    expected: [
      "- 2022-02-10T00:00:00Z 9.99 voters 4",
      "2022-02-10T00:00:00Z 2022-03-20T00:00:00Z 8.99 voters 6",
      "2022-03-20T00:00:00Z - 9.99 voters 4",
    ]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c", "d"], at: "2022-01-01")
    store.votes("8.99", by: ["e", "f", "g", "h", "i", "k"], at: "2022-02-10")
    store.votes("9.99", by: ["l", "m", "n", "o"], at: "2022-03-20")
  },
  HistoryCase(
    story: "five votes only pay as much as the steps cost, and what costs the same has none",
    expected: ["- - 9.99 voters 8"]
  ) { store in
    store.votes("9.99", by: ["a", "b", "c", "d"], at: "2022-01-01")
    store.votes("8.99", by: ["e", "f", "g", "h", "i"], at: "2022-02-10")
    store.votes("9.99", by: ["l", "m", "n", "o"], at: "2022-03-20")
  },
  HistoryCase(
    story: "a single voter between two levels is none", expected: ["- - 9.99 voters 3"]
  ) { store in
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("8.99", by: ["eve"], at: "2022-02-01")
    store.votes("9.99", by: ["c"], at: "2022-03-01")
  },
  HistoryCase(
    story: "two votes inside another price's are contradicted rather than two steps taken",
    expected: ["- - 9.99 voters 4"]
  ) { store in
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("8.99", by: ["eve", "fay"], at: "2022-02-01")
    store.votes("9.99", by: ["c", "d"], at: "2022-03-01")
  },
  HistoryCase(
    story: "a lone late report of the old price is contradicted: 2.5 + 1 < 4",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 3", "2022-02-01T00:00:00Z - 8.99 voters 4",
    ]
  ) { store in
    // The report of 9.99 in March comes from a phone with an old price, and lies in the next
    // interval.
    store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01")
    store.votes("8.99", by: ["e", "f", "g", "h"], at: "2022-02-01")
    store.votes("9.99", by: ["d"], at: "2022-03-01")
  },
  HistoryCase(
    story: "reports of one moment are never on two sides of a step",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 3", "2022-02-01T00:00:00Z - 8.99 voters 4",
    ]
  ) { store in
    // The vote for 9.99 at that moment is contradicted, because 2.5 + 1 is less than 4.
    store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01")
    store.votes("9.99", by: ["d"], at: "2022-02-01")
    store.votes("8.99", by: ["e", "f", "g", "h"], at: "2022-02-01")
  },
  HistoryCase(
    story: "a price that is contradicted in between does not hide a later step: 2 + 2.5 < 5",
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
    story: "of prices first reported at one moment the one with more votes holds",
    expected: ["- - 12.99 voters 3"]
  ) { store in
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("12.99", by: ["c", "d"], at: "2022-01-01")
    store.votes("12.99", by: ["e"], at: "2022-01-05")
  },
]

/// The catalogue has a price rise on 1 February; phones report the new price later.
private func cached(_ store: inout StoreBuilder, newFrom time: String) {
  store.product("pro", changes: [("USD", "2022-02-01", .moved)])
  store.votes("9.99", by: ["a", "b", "c"], at: "2022-01-01")
  store.votes("9.99", by: ["d", "e", "f"], at: "2022-02-01")
  store.votes("12.99", by: ["g", "h", "i"], at: time)
}

private let stretchCases = [
  HistoryCase(
    story: "a listed change cuts; two votes for a third price after it pay for no step",
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
    story: "but three do, as anywhere",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 2",
      "2022-02-01T00:00:00Z 2022-05-01T00:00:00Z 12.99 voters 3",
      "2022-05-01T00:00:00Z - 14.99 voters 3",
    ]
  ) { store in
    store.product("pro", changes: [("USD", "2022-02-01", .preserved)])
    store.votes("9.99", by: ["a", "b"], at: "2022-01-01")
    store.votes("12.99", by: ["c", "d", "e"], at: "2022-02-10")
    store.votes("14.99", by: ["f", "g", "h"], at: "2022-05-01")
  },
  HistoryCase(
    story: "the old price after a listed change is what phones had cached for up to 30 days",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 3", "2022-02-01T00:00:00Z - 12.99 voters 3",
    ]
  ) { store in
    cached(&store, newFrom: "2022-03-03T00:00:00Z")
  },
  HistoryCase(
    story: "a second more than 30 days later it was in force until then",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 3",
      "2022-02-01T00:00:00Z 2022-03-03T00:00:01Z 9.99 voters 3",
      "2022-03-03T00:00:01Z - 12.99 voters 3",
    ]
  ) { store in
    cached(&store, newFrom: "2022-03-03T00:00:01Z")
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
    story: "a list price's date cuts too",
    expected: [
      "- 2022-02-01T00:00:00Z 9.99 voters 1",
      "2022-02-01T00:00:00Z 2022-03-01T00:00:00Z 9.99 voters 3",
      "2022-03-01T00:00:00Z - 12.99 voters 3",
    ]
  ) { store in
    store.product("pro", prices: [("USD", "9.99", "2022-02-01")])
    store.votes("9.99", by: ["a"], at: "2022-01-01")
    store.votes("9.99", by: ["b", "c", "f"], at: "2022-02-02")
    store.votes("12.99", by: ["d", "e", "g"], at: "2022-03-01")
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
