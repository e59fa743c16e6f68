extension SampleStories {
  /// Adds the stories about false price reports, and about true reports that refute them.
  mutating func faultStories() {
    // Fourteen buyers with true reports around the false ones.
    for number in 0..<14 {
      let digits = String(100 + number * 2 + 1).dropFirst()
      addStory(70 + number, "crowd-\(number + 1)", .usa) { story in
        story.buys(.coinsSmall, at: "2021-04-\(digits) 12:00:00")
      }
    }

    // Six customers report the monthly plans before their prices rise, and six afterwards.
    for number in 0..<12 {
      addStory(84 + number, "onlooker-\(number + 1)", .usa) { story in
        let day = number < 6 ? "04-1\(number)" : "07-0\(number - 3)"
        story.viewsPrice(at: .proMonthly, at: "2021-\(day) 09:00:00")
        story.viewsPrice(at: .plusMonthly, at: "2021-\(day) 09:01:00")
      }
    }

    // A tampered app reports 0.01 for a weekly plan of 1.99: outlier.
    //
    // The amount comes from true reports. (0.01 for 0.99 would be a unit error.)
    addStory(96, "liar-cent", .usa) { story in
      let row = story.buys(.newsWeekly, at: "2021-05-23 15:00:00", isReported: false)
      story.reports(row)
      story.changeReport { $0.displayed.price = 10 }
    }

    // The app sends thousandths as dollars, 990.00: unit_error.
    addStory(97, "liar-thousandths", .usa) { story in
      let row = story.buys(.coinsSmall, at: "2021-04-15 15:00:00", isReported: false)
      story.reports(row)
      story.changeReport { $0.displayed.multiply(by: 1000) }
    }

    // The app sends cents as dollars, 99.00: unit_error.
    addStory(98, "liar-cents", .usa) { story in
      let row = story.buys(.coinsSmall, at: "2021-04-16 15:00:00", isReported: false)
      story.reports(row)
      story.changeReport { $0.displayed.multiply(by: 100) }
    }

    // The report has a currency that does not exist, in a storefront with many reports:
    // currency_mismatch.
    addStory(99, "liar-currency", .usa) { story in
      let row = story.buys(.coinsSmall, at: "2021-04-17 15:00:00", isReported: false)
      story.reports(row)
      story.changeReport {
        $0.displayed.currency = WorldCurrency(code: "BFD", decimals: 2, perEuro: 1)
      }
    }
  }
}
