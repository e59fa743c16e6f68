extension SampleStories {
  /// Adds the stories about evidence: how a price becomes known, or why it stays unknown.
  mutating func evidenceStories() {
    // Three packs of coins in one purchase: the report has the price of a single pack.
    addStory(51, "quantity", .usa) { story in
      story.buys(.coinsLarge, at: "2021-03-30 19:00:00", quantity: 3)
    }

    // A customer without reports in a known storefront: price_history, from other customers'
    // reports.
    addStory(52, "other-customers", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-02-18 10:00:00", isReported: false)
      story.renews(first)
      story.buys(.coinsSmall, at: "2021-03-20 10:00:00", isReported: false)
    }

    // No report has the price of a season pass in zloty: catalogue_price.
    addStory(53, "catalogue-only", .pol) { story in
      story.buys(.season, at: "2021-06-06 10:00:00", isReported: false)
    }

    // Neither a report nor the catalogue has the price of this product in dinars: unresolved.
    addStory(54, "nobody-knows", .kwt) { story in
      story.buys(.lifetime, at: "2021-06-07 10:00:00", isReported: false)
    }

    // The only report of a season pass in dinars is believed without a reference price: derived,
    // not exact.
    addStory(55, "no-reference", .kwt) { story in
      story.buys(.season, at: "2021-06-08 10:00:00")
    }

    // The receipt arrives in July, its price report in an export of September.
    addStory(56, "late-report", .gbr) { story in
      story.buys(.lifetime, at: "2021-07-12 10:00:00")
      story.changeReport { $0.arrivedAt += 61 * BillingClock.day }
    }

    // The report has the id from `receipt.in_app`, which `latest_receipt_info` lacks.
    addStory(57, "alias-report", .usa) { story in
      let row = story.buys(.newsWeekly, at: "2021-05-05 05:00:00")
      story.change(row) { $0.aliasID -= 1 }
      story.changeReport { $0.usesAlias = true }
    }

    // No record has a customer id: the chain itself is the voter.
    addStory(58, "nobody", .usa) { story in
      story.change { $0.identities[0].id = "" }
      let first = story.buys(.proMonthly, at: "2021-03-09 10:00:00")
      story.renews(first, times: 3, paid: 9_990)
      story.sends(at: "2021-06-20 09:00:00", form: .bare)
    }

    // The price report is inside the receipt's record and belongs to its customer and storefront.
    addStory(59, "embedded-report", .fra) { story in
      story.buys(.coinsSmall, at: "2021-04-09 10:00:00")
      story.changeReport {
        $0.isEmbedded = true
        $0.namesStorefront = false
      }
      story.changeUpload { $0.report = 0 }
    }

    // The device's clock shows 2019: a report with a transaction id gets the time of the purchase.
    addStory(60, "wrong-clock", .usa) { story in
      story.buys(.coinsSmall, at: "2021-04-10 10:00:00")
      story.changeReport { $0.reportedAt -= 700 * BillingClock.day }
    }

    // An old price list from a cache: it looks like a true report, but other reports outvote it.
    addStory(61, "stale-report", .usa) { story in
      story.viewsPrice(at: .proMonthly, at: "2021-06-10 10:00:00")
      story.changeReport { $0.displayed.price = 9_990 }
      story.buys(.coinsSmall, at: "2021-06-10 10:05:00")
    }
  }
}
