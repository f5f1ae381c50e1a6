    // Lemmas of `six_octets`: what carries from beat to beat there, by the packet's last bytes.

    each(lead is_e0 is_ed is_f0 is_f8 is_fc) (* hierconn *) wire \PIECES.six.s4_before_%_carried ;
    each(3up 4up 5up 6) (* hierconn *) wire \PIECES.six.s5_before_lead_%_carried ;
    each(cont cont_1 second_of_3 second_of_4 second_of_5 second_of_5_1) (* hierconn *) wire \PIECES.six.s6_before_%_carried ;
    each(second_of_6 second_of_6_1 second_of_6_2) (* hierconn *) wire \PIECES.six.s6_before_%_carried ;
    each(third_of_4 fourth_of_5 fifth_of_6) (* hierconn *) wire \PIECES.six.s7_before_%_carried ;

    // Of stage 3: the last byte.
    wire [7:0] last_of_3 = past_3[7:0];
    wire lead = window::leads(last_of_3);
    wire is_e0 = last_of_3 == 8'hE0, is_ed = last_of_3 == 8'hED, is_f0 = last_of_3 == 8'hF0, is_f8 = last_of_3 == 8'hF8;
    wire is_fc = last_of_3 == 8'hFC;
    // Of stage 4: whether it begins a sequence, and one of more than two bytes and so on.
    wire leads_4 = window::leads(past_4[7:0]);
    wire leads_3up = window::longer(3'd2, past_4[7:0]), leads_4up = window::longer(3'd3, past_4[7:0]);
    wire leads_5up = window::longer(3'd4, past_4[7:0]), leads_6 = window::longer(3'd5, past_4[7:0]);
    // Of stage 5: whether it is a continuation byte, or a second byte of a sequence of three bytes or more and so on; `_1` is the byte before
    // it, and `_2` the one before that.
    wire cont = past_5[8] && rfc2279::tail(past_5[7:0]), cont_1 = past_5[17] && rfc2279::tail(past_5[16:9]);
    wire [15:0] two = {past_5[7:0], past_5[16:9]}, two_1 = {past_5[16:9], past_5[25:18]}, two_2 = {past_5[25:18], past_5[34:27]};
    wire second_of_3 = past_5[17] && rfc2279::begins(3'd2, two);
    wire second_of_4 = past_5[17] && rfc2279::begins(3'd3, {8'h80, two});
    wire second_of_5 = past_5[17] && rfc2279::begins(3'd4, {16'h8080, two});
    wire second_of_6 = past_5[17] && rfc2279::begins(3'd5, {24'h808080, two});
    wire second_of_5_1 = past_5[26] && rfc2279::begins(3'd4, {16'h8080, two_1});
    wire second_of_6_1 = past_5[26] && rfc2279::begins(3'd5, {24'h808080, two_1});
    wire second_of_6_2 = past_5[35] && rfc2279::begins(3'd5, {24'h808080, two_2});
    // Of stage 6: whether it is the third byte of a sequence of four or more, the fourth of five or six, the fifth of six.
    wire [39:0] five = {past_6[7:0], past_6[16:9], past_6[25:18], past_6[34:27], past_6[43:36]};
    wire third_of_4 = past_6[26] && rfc2279::begins(3'd3, five[39:16]);
    wire fourth_of_5 = past_6[35] && rfc2279::begins(3'd4, five[39:8]);
    wire fifth_of_6 = past_6[44] && rfc2279::begins(3'd5, five);
    always @(posedge clk) if (started) begin
        each(lead is_e0 is_ed is_f0 is_f8 is_fc) if (lives[3]) `WHOLE(\PIECES.six.s4_before_%_carried == (past_3[8] && %));
        if (past_4[8]) `WHOLE(\PIECES.six.s5_before_lead_3up_carried == leads_3up);
        each(4up 5up 6) if (past_4[8] && leads_4) `WHOLE(\PIECES.six.s5_before_lead_%_carried == leads_%);
        each(cont cont_1 second_of_3 second_of_4 second_of_5 second_of_5_1) if (lives[5]) `WHOLE(\PIECES.six.s6_before_%_carried == %);
        each(second_of_6 second_of_6_1 second_of_6_2) if (lives[5]) `WHOLE(\PIECES.six.s6_before_%_carried == %);
        each(third_of_4 fourth_of_5 fifth_of_6) if (lives[6]) `WHOLE(\PIECES.six.s7_before_%_carried == %);
    end
