extension SampleStories {
  /// Adds the stories about forms of a response, about ids, and about excluded purchases.
  mutating func formStories() {
    // One renewal has two ids in one response: N in `in_app`, N + 1 in `latest_receipt_info`.
    addStory(101, "twin-ids", .usa) { story in
      let first = story.buys(.newsWeekly, at: "2021-09-06 10:00:00")
      let second = story.renews(first)
      story.change(second) { $0.aliasID = $0.id - 1 }
      story.sends(at: "2021-09-15 09:00:00")
    }

    // Bought once and restored on a new phone: a new id and a new date, but no new sale.
    addStory(102, "restore", .usa) { story in
      let row = story.buys(.lifetime, at: "2021-02-22 10:00:00")
      story.change {
        $0.restores.append(
          AccountRestore(
            purchase: row, id: $0.purchases[row].id + 1,
            at: Story.moment("2021-09-09 19:00:00")))
      }
      story.sends(at: "2021-09-09 19:00:04")
    }

    // One line item has two products, which is impossible: conflict.
    addStory(103, "conflict", .usa) { story in
      story.buys(.proMonthly, at: "2021-08-08 10:00:00")
      story.changeReport { $0.purchase = -1 }
      story.change { $0.isContradicted = true }
    }
    addStory(103, "conflict", .usa) { story in
      story.change { $0.isInTruth = false }
      story.buys(.plusMonthly, at: "2021-08-08 10:00:00", isReported: false)
      story.changeUpload { $0.at += 3_600_000 }
    }

    // A relative's plan: its rows have FAMILY_SHARED.
    addStory(104, "family", .usa) { story in
      let first = story.buys(.proMonthly, at: "2021-07-07 10:00:00", isReported: false)
      let second = story.renews(first)
      for row in [first, second] {
        story.change(row) {
          $0.isFamilyShared = true
          $0.paid = 0
        }
      }
      story.sends(at: "2021-08-20 09:00:00")
    }

    // A tester's purchases in Apple's sandbox.
    addStory(105, "sandbox", .usa) { story in
      story.change { $0.isSandbox = true }
      let first = story.buys(.proMonthly, at: "2021-05-18 10:00:00", isReported: false)
      story.renews(first)
      story.sends(at: "2021-07-01 09:00:00")
    }

    // A receipt of another app of the same developer.
    addStory(106, "foreign-bundle", .usa) { story in
      story.change { $0.bundle = "app.paidline.other" }
      story.buys(.proMonthly, at: "2021-05-19 10:00:00", isReported: false)
    }

    // A response in the style of iOS 6: flat, status 21006, the expiry in milliseconds as text.
    addStory(107, "old-style", .usa) { story in
      story.buys(.newsWeekly, at: "2021-05-21 10:00:00")
      story.changeUpload {
        $0.form = .flat
        $0.at = Story.moment("2021-06-21 10:00:00")
      }
    }

    // A version 1 notification in the place of a response.
    addStory(108, "notified", .usa) { story in
      story.change { $0.identities[0].id = "" }
      let first = story.buys(.newsWeekly, at: "2021-05-22 10:00:00")
      story.renews(first)
      story.sends(at: "2021-05-29 10:00:30", form: .notification)
    }

    // The response as text inside its record.
    addStory(109, "as-text", .usa) { story in
      story.buys(.newsWeekly, at: "2021-05-23 10:00:00")
      story.changeUpload { $0.form = .text }
    }

    // The exporter wrote one record twice: the second one is a duplicate.
    addStory(110, "sent-twice", .usa) { story in
      story.buys(.newsWeekly, at: "2021-05-24 10:00:00")
      story.change { $0.uploads.append($0.uploads[0]) }
    }
  }
}
